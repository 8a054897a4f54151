import type { CallOptions } from "./call.ts";
import { sleep } from "./client.ts";
import { TimeoutError } from "./errors.ts";
import type { Run, RunTimelineEntry } from "./generated/types.ts";

const FIRST_POLL_MS = 200;
const MOST_POLL_MS = 2000;
const ENDED: readonly Run["status"][] = ["cancelled", "succeeded", "failed", "expired"];

type Read = (runId: string, options: CallOptions) => Promise<Run>;

/** Yields each entry of a run's timeline as it comes, and ends with the run, which it returns. */
export async function* followRun(
  read: Read,
  runId: string,
  options: CallOptions = {},
): AsyncGenerator<RunTimelineEntry, Run> {
  let last = -1;
  for (let waitMs = FIRST_POLL_MS; ; waitMs = Math.min(waitMs * 1.5, MOST_POLL_MS)) {
    const run = await read(runId, options);
    for (const entry of run.timeline) {
      if (entry.seq <= last) continue;
      last = entry.seq;
      waitMs = FIRST_POLL_MS;
      yield entry;
    }
    if (ENDED.includes(run.status)) return run;
    await sleep(waitMs, options.signal);
  }
}

/** Waits for a run's end; `timeoutMs` is for all of it. */
export async function waitForRun(
  read: Read,
  runId: string,
  { timeoutMs, ...options }: CallOptions = {},
): Promise<Run> {
  const ends = timeoutMs === undefined ? Number.POSITIVE_INFINITY : Date.now() + timeoutMs;
  for (let waitMs = FIRST_POLL_MS; ; waitMs = Math.min(waitMs * 1.5, MOST_POLL_MS)) {
    const run = await read(runId, options);
    if (ENDED.includes(run.status)) return run;
    const left = ends - Date.now();
    if (left <= 0) throw new TimeoutError(`Run ${runId} is ${run.status} after ${timeoutMs} ms; it goes on.`);
    await sleep(Math.min(waitMs, left), options.signal);
  }
}
