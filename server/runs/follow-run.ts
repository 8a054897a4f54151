import { z } from "zod";
import { runs } from "#db/schema/runs.ts";
import { invalid } from "#server/operation/errors.ts";
import { follow, type NewItems } from "#server/operation/follow.ts";
import { operation } from "#server/operation/operation.ts";
import { type StreamEvent, StreamResult } from "#server/operation/stream-result.ts";
import { platform } from "#server/platform.ts";
import { type Entry, newEntries } from "./new-entries.ts";
import { newOutput, type Output } from "./new-output.ts";
import { findRun, isRun, type RunRow, type RunView, toRuns } from "./queries.ts";
import { Run, RunParams, TimelineEntry } from "./schema.ts";

interface Shown {
  entry(entry: Entry): object;
  run(run: RunView): object;
}

/**
 * The position from which a client continues: after an entry, and after a number of characters of the partial output
 * that follows it.
 */
interface StreamPosition {
  seq: number;
  offset: number;
}

/** A piece of the text that a model writes in a step. */
export const WrittenText = z.object({
  step: z.string().describe("The step that writes."),
  offset: z.int().describe("How many characters (of UTF-16) the step has written before."),
  text: z.string().describe("The text written since."),
});

export const followRun = operation({
  id: "runs.read",
  operationId: "runs.follow",
  method: "GET",
  path: "/runs/{runId}/events",
  summary: "Follow a run",
  description:
    "Sends each entry of the run's timeline as it comes, from the first on, then the run itself, and ends. With `Last-Event-ID` it goes on after that event; once nothing is left it answers 204, which ends the reconnecting of an `EventSource`. While a model writes, `output` events show its text: keep for each step `text.slice(0, offset) + event.text`, and take the step's answer once it is done. It counts as a call of `runs.read`, and holds its place under `maxConcurrent` until it ends.",
  scope: "runs:read",
  params: RunParams,
  output: z.object({}),
  stream: {
    description: "The run's events, until it ends.",
    id: {
      description:
        "The entry's `seq`; that of `run` is one higher than the last entry's. `output` has the `seq` of the entry before it, a dot and how many characters its step has written by then.",
      example: "12",
    },
    events: {
      timeline: { description: "An entry of the timeline.", data: TimelineEntry },
      output: {
        description:
          "The text that a model has written in a step since the last event, twice a second at most. None on the privacy tier `strict`, and none that the client was too late for.",
        data: WrittenText,
      },
      run: { description: "The run, once it has ended; the last event.", data: z.object({ run: Run }) },
    },
  },
  errors: ["not_found", "service_not_allowed"],
  surfaces: ["api", "console"],

  async handler({ params, caller, db, request }) {
    const run = await findRun(db, caller, params.runId);
    const from = placeOf(request.lastEventId, run);
    // A run that has ended gives one id more than it has entries.
    const hasAll = run.finishedAt !== null && from.seq > run.lastSeq;
    return new StreamResult(caller.accountId, hasAll ? null : (signal) => eventsOf(run, from, signal), {
      judge: () => request.judgeAgain({ serviceId: run.serviceId }),
    });
  },
});

const NOTHING = { pieces: [], more: false };

/** Returns the position of `Last-Event-ID`; refuses an id that this run has not sent. */
export function placeOf(lastEventId: string | null, { id, lastSeq, finishedAt }: RunRow): StreamPosition {
  if (lastEventId === null) return { seq: 0, offset: 0 };
  const where = "header.last-event-id";
  const [, given, offset = "0"] = /^(\d{1,9})(?:\.(\d{1,9}))?$/.exec(lastEventId) ?? [];
  if (given === undefined)
    throw invalid(where, "Is no id of this stream. Send the id of the last event, or leave it out.");
  const seq = Number(given);
  const last = finishedAt === null ? lastSeq : lastSeq + 1;
  if (seq > last)
    throw invalid(where, `Run ${id} has given ids up to ${last}, not ${seq}. Leave it out to begin anew.`);
  return { seq, offset: Number(offset) };
}

/** Yields the events of a run in the form that its follower may see. */
export async function* eventsOf(
  { accountId, id }: RunRow,
  from: StreamPosition,
  signal: AbortSignal,
  shown: Shown = { entry: (entry) => entry, run: (run) => ({ run: Run.parse(run) }) },
): AsyncGenerator<readonly StreamEvent[], void> {
  let { seq, offset } = from;
  // A stream that continues after an entry may begin in the middle of a step's output.
  let writes = seq > 0;

  async function read(): Promise<NewItems<Entry | Output>> {
    const entries = await newEntries({ accountId, runId: id, seq });
    // Read last, so that it has all output from before these entries.
    const written = writes ? await newOutput({ accountId, runId: id, seq, offset }) : NOTHING;
    if (written.more) return { items: written.pieces, more: true, ended: false };
    // A step that was just sent may have written output already.
    const begun = !entries.ended && isSent(entries.items.at(-1));
    return { ...entries, items: [...written.pieces, ...entries.items], more: entries.more || begun };
  }

  for await (const items of follow({ accountId, change: "runs", signal, read })) {
    yield items.map((item) => ("offset" in item ? outputEvent(item) : entryEvent(item, shown)));
    const last = items.at(-1);
    if (!last) continue;
    seq = last.seq;
    offset = "offset" in last ? last.offset + last.text.length : 0;
    writes = "offset" in last || isSent(last);
  }
  if (signal.aborted) return;
  const { db } = platform().database;
  const [row] = await db.select().from(runs).where(isRun(accountId, id));
  const [run] = row ? await toRuns(db, [row]) : [];
  if (row && run) yield [{ id: String(row.lastSeq + 1), event: "run", data: JSON.stringify(shown.run(run)) }];
}

const isSent = (entry: Entry | undefined) => entry?.type === "step" && entry.data?.status === "sent";

function entryEvent(entry: Entry, shown: Shown): StreamEvent {
  return { id: String(entry.seq), event: "timeline", data: JSON.stringify(shown.entry(entry)) };
}

function outputEvent({ seq, ...written }: Output): StreamEvent {
  const id = `${seq}.${written.offset + written.text.length}`;
  return { id, event: "output", data: JSON.stringify(WrittenText.parse(written)) };
}
