import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { defined } from "#server/base/defined.ts";
import { waitsForCallbacks } from "#server/callbacks/queries.ts";
import { follow } from "#server/operation/follow.ts";
import { type CallRequest, operation } from "#server/operation/operation.ts";
import { platform } from "#server/platform.ts";
import { waitsForEvents } from "#server/sent-events/queries.ts";
import { newEntries } from "./new-entries.ts";
import { findRun, type RunRow, toRuns } from "./queries.ts";
import { Run, RunParams } from "./schema.ts";
import { watchAddress } from "./watch-address.ts";

// At most two messages of progress a second.
const PROGRESS_MS = 500;

export const readRun = operation({
  id: "runs.read",
  method: "GET",
  path: "/runs/{runId}",
  summary: "Read a run",
  description:
    "Returns a run with its whole timeline. The run's service must be inside the key's boundary. With `waitSeconds`, the response comes when the run has ended or the time is over; [runs.follow](/docs/runs.follow) sends its events meanwhile.",
  scope: "runs:read",
  params: RunParams,
  query: z.object({
    waitSeconds: z
      .int({ error: ({ input }) => `Send a whole number, 0 to 50, not ${JSON.stringify(input)}.` })
      .min(0)
      .max(50)
      .default(0)
      .describe("How long to wait for the run's end, 0 to 50 seconds."),
  }),
  output: z.object({ run: Run }),
  errors: ["not_found", "service_not_allowed"],

  async handler({ params, query, caller, db, request }) {
    const found = await findRun(db, caller, params.runId);
    const waits = query.waitSeconds > 0 && found.finishedAt === null;
    if (waits) await awaitEnd(found, query.waitSeconds, request);
    const row = waits ? await findRun(db, caller, params.runId) : found;
    const [[run], events, callbacks] = await Promise.all([
      toRuns(db, [row]),
      waitsForEvents(db, row.accountId, row.id),
      waitsForCallbacks(db, row.accountId, row.id),
    ]);
    return { run: { ...defined(run), waitsFor: [...events, ...callbacks], ...watchAddress(row, caller) } };
  },
});

/** Waits until the run ends or the time is over; then judges again whether the caller may read it. */
async function awaitEnd(run: RunRow, seconds: number, request: CallRequest): Promise<void> {
  const { accountId, id: runId, serviceId } = run;
  const { streams } = platform();
  const leave = streams.enter("wait", accountId);
  try {
    const signal = AbortSignal.any([
      request.signal,
      streams.stopping,
      AbortSignal.timeout(Math.min(seconds * 1000, streams.limits.waitMs)),
    ]);
    let seq = run.lastSeq;
    const pages = follow({
      accountId,
      change: "runs",
      signal,
      read: () => newEntries({ accountId, runId, seq }),
    });
    for await (const entries of pages) {
      const last = entries.at(-1);
      seq = last?.seq ?? seq;
      if (!request.progress || !last) continue;
      await request.judgeAgain({ serviceId });
      await request.progress(last.seq, last.message);
      await sleep(PROGRESS_MS, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    leave();
  }
  await request.judgeAgain({ serviceId });
}
