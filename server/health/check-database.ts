import { platform } from "#server/platform.ts";

const MAX_MS = 1000;

interface DatabaseCheck {
  name: "database";
  ok: boolean;
  durationMs: number | null;
  message: string | null;
}

let running: Promise<DatabaseCheck> | undefined;

/** Asks the database something, within a second. Calls at the same time share one question, since anybody may ask. */
export function checkDatabase(): Promise<DatabaseCheck> {
  running ??= ask().finally(() => {
    running = undefined;
  });
  return running;
}

async function ask(): Promise<DatabaseCheck> {
  const started = performance.now();
  // The pool that every call needs first; it does not wait behind slow handlers.
  const question = platform().database.admission`select 1`;
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<"silent">((resolve) => {
    timer = setTimeout(resolve, MAX_MS, "silent");
  });
  const answer = await Promise.race([
    question.then(
      () => "well" as const,
      () => "lost" as const,
    ),
    silence,
  ]);
  clearTimeout(timer);
  if (answer === "well")
    return { name: "database", ok: true, durationMs: Math.round(performance.now() - started), message: null };
  if (answer === "silent") question.cancel();
  const message =
    answer === "silent"
      ? `The platform's database (DATABASE_URL) did not answer within ${MAX_MS} ms.`
      : "The platform's database (DATABASE_URL) is not available.";
  return { name: "database", ok: false, durationMs: null, message };
}
