import type { TestContext } from "vitest";
import { findLogLines } from "./log-lines.ts";

const MAX_ANSWERS = 10;
const MAX_CHARACTERS = 1000;

const answers: { requestId: string | null; text: string }[] = [];

/** Notes a response that a test got, for the case that the test fails. */
export function noteAnswer(call: string, status: number, headers: Headers, body: unknown): void {
  const said = status < 400 ? "" : `: ${JSON.stringify(body).slice(0, MAX_CHARACTERS)}`;
  const requestId = headers.get("x-request-id");
  answers.push({ requestId, text: `${call} → ${status}, ${requestId ?? "no request id"}${said}` });
  if (answers.length > MAX_ANSWERS) answers.shift();
}

export function forgetAnswers(): void {
  answers.length = 0;
}

/**
 * Adds the last responses to a failed test's error, and the lines that this process logged for their requests. The lines
 * of other processes are found by the responses' request ids.
 */
export function addAnswers({ task }: TestContext): void {
  const [error] = task.result?.errors ?? [];
  if (!error || answers.length === 0) return;
  const logged = findLogLines(new Set(answers.flatMap(({ requestId }) => requestId ?? [])));
  const parts = ["", "The last responses:", ...answers.map((answer) => answer.text)];
  if (logged.length > 0) parts.push("The log of their requests:", ...logged);
  const text = parts.join("\n");
  error.message += text;
  if (error.stack !== undefined) error.stack += text;
}
