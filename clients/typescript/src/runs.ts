import type { CallOptions } from "./call.ts";
import type { Client } from "./client.ts";
import { PlatformError, TimeoutError } from "./errors.ts";
import { streamOf } from "./events.ts";
import type { Run, RunId, RunTimelineEntry } from "./generated/types.ts";

const MAX_WAIT_S = 50;
// The time that a response may take in addition to its wait.
const ANSWER_MS = 20_000;
const ENDED: readonly Run["status"][] = ["cancelled", "succeeded", "failed", "expired"];

type Read = (runId: string, input: { waitSeconds: number }, options: CallOptions) => Promise<Run>;

/**
 * A piece of the text that a model writes in a step; the step's text so far is `text.slice(0, offset) + written.text`.
 */
export interface WrittenText {
  step: string;
  offset: number;
  text: string;
}

export interface FollowOptions extends CallOptions {
  /** Called with a model's text while it is written. */
  onOutput?: ((written: WrittenText) => void) | undefined;
}

/** Yields each entry of the run's timeline as it comes; returns the run when it ends. */
export type FollowRun = (runId: RunId, options?: FollowOptions) => AsyncGenerator<RunTimelineEntry, Run>;

export async function* followRun(
  client: Client,
  runId: string,
  { onOutput, ...options }: FollowOptions = {},
): AsyncGenerator<RunTimelineEntry, Run> {
  for await (const { event, data } of streamOf(client, `/runs/${runId}/events`, options)) {
    if (event === "timeline") yield JSON.parse(data) as RunTimelineEntry;
    if (event === "output") onOutput?.(JSON.parse(data) as WrittenText);
    if (event === "run") return (JSON.parse(data) as { run: Run }).run;
  }
  throw new PlatformError(`The stream of run ${runId} ended without the run.`);
}

/** Waits for a run's end; `timeoutMs` limits the whole wait. */
export async function waitForRun(
  read: Read,
  runId: string,
  { timeoutMs, ...options }: CallOptions = {},
): Promise<Run> {
  const ends = timeoutMs === undefined ? Number.POSITIVE_INFINITY : Date.now() + timeoutMs;
  for (;;) {
    const waitSeconds = Math.max(0, Math.min(MAX_WAIT_S, Math.ceil((ends - Date.now()) / 1000)));
    const given = { ...options, timeoutMs: waitSeconds * 1000 + ANSWER_MS };
    const run = await read(runId, { waitSeconds }, given);
    if (ENDED.includes(run.status)) return run;
    if (Date.now() >= ends)
      throw new TimeoutError(`Run ${runId} is ${run.status} after ${timeoutMs} ms; it goes on.`);
  }
}
