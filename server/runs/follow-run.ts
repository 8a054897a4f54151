import { z } from "zod";
import { runs } from "#db/schema/runs.ts";
import { invalid } from "#server/operation/errors.ts";
import { follow } from "#server/operation/follow.ts";
import { operation } from "#server/operation/operation.ts";
import { judgedFor, type StreamEvent, StreamResult } from "#server/operation/stream.ts";
import { platform } from "#server/platform.ts";
import { findRun } from "./find-run.ts";
import { type Entry, newEntries } from "./new-entries.ts";
import { type RunRow, type RunView, theRun, toRuns } from "./queries.ts";
import { Run, RunParams, TimelineEntry } from "./schema.ts";

interface Shown {
  entry(entry: Entry): object;
  run(run: RunView): object;
}

export const followRun = operation({
  id: "runs.read",
  operationId: "runs.follow",
  method: "GET",
  path: "/runs/{runId}/events",
  summary: "Follow a run",
  description:
    "Sends each entry of the run's timeline as it comes, from the first on, then the run itself, and ends. With `Last-Event-ID` it goes on after that event; once nothing is left it answers 204, which ends the reconnecting of an `EventSource`. It counts as a call of `runs.read`, and holds its place under `maxConcurrent` until it ends.",
  scope: "runs:read",
  params: RunParams,
  output: z.object({}),
  stream: {
    description: "What happens in the run, until it ends.",
    id: {
      description: "The entry's `seq`; that of `run` is one higher than the last entry's.",
      example: "12",
    },
    events: {
      timeline: { description: "An entry of the timeline.", data: TimelineEntry },
      run: { description: "The run, once it has ended; the last event.", data: z.object({ run: Run }) },
    },
  },
  errors: ["not_found", "service_not_allowed"],
  surfaces: ["api"],

  async handler({ params, caller, db, request }) {
    const run = await findRun(db, caller, params.runId);
    const from = lastSeqOf(request.lastEventId, run);
    // A run that has ended gives one id more than it has entries.
    const hasAll = run.finishedAt !== null && from > run.lastSeq;
    return new StreamResult(caller.accountId, hasAll ? null : (signal) => eventsOf(run, from, signal), {
      judge: judgedFor({ serviceId: run.serviceId }),
    });
  },
});

/** The entry after which a client goes on; refuses an id that this run has not given. */
export function lastSeqOf(lastEventId: string | null, { id, lastSeq, finishedAt }: RunRow): number {
  if (lastEventId === null) return 0;
  const where = "header.last-event-id";
  if (!/^\d{1,9}$/.test(lastEventId))
    throw invalid(where, "Is no id of this stream. Send the id of the last event, or leave it out.");
  const seq = Number(lastEventId);
  const last = finishedAt === null ? lastSeq : lastSeq + 1;
  if (seq > last)
    throw invalid(where, `Run ${id} has given ids up to ${last}, not ${seq}. Leave it out to begin anew.`);
  return seq;
}

/** The events of a run, in the form that its follower may see. */
export async function* eventsOf(
  { accountId, id }: RunRow,
  from: number,
  signal: AbortSignal,
  shown: Shown = { entry: (entry) => entry, run: (run) => ({ run: Run.parse(run) }) },
): AsyncGenerator<readonly StreamEvent[], void> {
  let seq = from;
  const pages = follow({
    accountId,
    change: "runs",
    signal,
    read: () => newEntries({ accountId, runId: id, seq }),
  });
  for await (const entries of pages) {
    yield entries.map((entry) => ({
      id: String(entry.seq),
      event: "timeline",
      data: JSON.stringify(shown.entry(entry)),
    }));
    seq = entries.at(-1)?.seq ?? seq;
  }
  if (signal.aborted) return;
  const { db } = platform().database;
  const [row] = await db.select().from(runs).where(theRun(accountId, id));
  const [run] = row ? await toRuns(db, [row]) : [];
  if (row && run) yield [{ id: String(row.lastSeq + 1), event: "run", data: JSON.stringify(shown.run(run)) }];
}
