import type { JournalEntry } from "./journal.ts";
import type { StepParts } from "./step-lifecycle.ts";

const LONGEST_SECONDS = 60;

/**
 * Suspends a step whose call is refused for a while, until it is repeated: after a tenth of the time for which it has
 * waited, at most a minute, but not before the refusal says. Each repeat is a request in the audit; a step that waits
 * for weeks must not fill it. `begun` is the entry with which this execution began the step.
 */
export async function awaitLimit(
  { run, db, journal, lifecycle }: StepParts,
  name: string,
  {
    begun,
    retryAfterSeconds: refusalSeconds,
  }: { begun: JournalEntry | undefined; retryAfterSeconds: number },
): Promise<never> {
  const waitedMs = begun?.state === "waiting" ? run.now() - begun.at.getTime() : 0;
  const retryAfterSeconds = Math.max(refusalSeconds, Math.min(waitedMs / 10_000, LONGEST_SECONDS));
  const wakeAt = new Date(run.now() + retryAfterSeconds * 1000);
  lifecycle.assertRunning(
    await journal.openStep(db, { name, state: "waiting", wakeAt, data: { retryAfterSeconds } }),
  );
  return lifecycle.suspend(name, "wait");
}
