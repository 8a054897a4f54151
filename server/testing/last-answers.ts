import type { TestContext } from "vitest";

const MOST = 10;
const MOST_CHARACTERS = 1000;

const answers: string[] = [];

/** Notes a response that a test got, for the case that the test fails. */
export function noteAnswer(call: string, status: number, headers: Headers, body: unknown): void {
  const said = status < 400 ? "" : `: ${JSON.stringify(body).slice(0, MOST_CHARACTERS)}`;
  answers.push(`${call} → ${status}, ${headers.get("x-request-id") ?? "no request id"}${said}`);
  if (answers.length > MOST) answers.shift();
}

export function forgetAnswers(): void {
  answers.length = 0;
}

/** Adds the last responses to a failed test's error, with their request ids, by which the log's lines are found. */
export function addAnswers({ task }: TestContext): void {
  const [error] = task.result?.errors ?? [];
  if (!error || answers.length === 0) return;
  const text = ["", "The last responses:", ...answers].join("\n");
  error.message += text;
  if (error.stack !== undefined) error.stack += text;
}
