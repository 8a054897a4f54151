import { sql } from "drizzle-orm";
import { z } from "zod";
import { runs } from "#db/schema/runs.ts";
import { currentMs } from "#server/base/clock.ts";
import { uuidOf } from "#server/base/ids.ts";
import { ApiError } from "#server/operation/errors.ts";
import { instant, typeId } from "#server/operation/fields.ts";
import { operation } from "#server/operation/operation.ts";
import { StreamResult } from "#server/operation/stream-result.ts";
import { platform } from "#server/platform.ts";
import { eventsOf, placeOf, WrittenText } from "./follow-run.ts";
import type { Entry } from "./new-entries.ts";
import { isRun, type RunRow } from "./queries.ts";
import { RUN_STATUSES } from "./statuses.ts";
import { openWatch, type Watched } from "./watch-address.ts";

const status = z.enum(RUN_STATUSES).describe("The run's status.");
const progress = z.number().nullable().describe("The progress, from 0 to 1; null if the run reports none.");

/** The part of an entry that a browser sees. */
const WatchedEntry = z.object({
  seq: z.int().describe("The position in the run's timeline."),
  at: instant,
  level: z.enum(["info", "warn", "error"]).describe("The severity."),
  message: z.string().describe("The message."),
  status: status.nullable(),
  progress,
});

const WatchedRun = z.object({ id: typeId("run"), status, progress, finishedAt: instant.nullable() });

/** Served at the root by a handler of its own, beside the registry: its caller is the address itself. */
export const watchRun = operation({
  id: "runs.watch",
  method: "GET",
  path: "/watch/{token}",
  summary: "Watch a run by a signed address",
  scope: null,
  params: z.object({ token: z.string().max(1000).describe("The signed token of the run.") }),
  output: z.object({}),
  stream: {
    description: "The run's events, without its input, data and result.",
    id: { description: "As those of `runs.follow`.", example: "12" },
    events: {
      timeline: { description: "An entry of the timeline.", data: WatchedEntry },
      output: {
        description: "The text that a model has written in a step since the last event.",
        data: WrittenText,
      },
      run: { description: "The run, once it has ended.", data: z.object({ run: WatchedRun }) },
    },
  },
  errors: ["not_found"],

  async handler({ params, db, request }) {
    const watched = openWatch(params.token);
    const [run] = watched ? await db.select().from(runs).where(isRun(watched.accountId, watched.runId)) : [];
    if (!watched || !run) throw unknownAddress();
    await refuseEnded(watched, run);
    const from = placeOf(request.lastEventId, run);
    const hasAll = run.finishedAt !== null && from.seq > run.lastSeq;
    const shown = {
      // Steps have a status of their own.
      entry: ({ type, data, ...entry }: Entry) =>
        WatchedEntry.parse({
          ...entry,
          status: type === "state" ? data?.status : null,
          progress: type === "progress" ? data?.fraction : null,
        }),
      run: (ended: object) => ({ run: WatchedRun.parse(ended) }),
    };
    return new StreamResult(run.accountId, hasAll ? null : (signal) => eventsOf(run, from, signal, shown), {
      kind: "address",
      judge: () => refuseEnded(watched, run),
    });
  },
});

/** Refuses an expired address, and one whose key may no longer read the run. */
async function refuseEnded({ accountId, keyId, expires }: Watched, run: RunRow): Promise<void> {
  if (expires <= currentMs()) throw unknownAddress();
  const [row] = await platform().database.db.execute<{ reads: boolean | null }>(sql`
    select key_reads(${uuidOf("account", accountId)}, ${uuidOf("apiKey", keyId)}, 'runs:read', ${run.serviceId}, null, false,
      ${run.projectId && uuidOf("project", run.projectId)}, ${run.endUserId && uuidOf("endUser", run.endUserId)}) as reads`);
  if (!row?.reads) throw unknownAddress();
}

function unknownAddress(): ApiError {
  return new ApiError(
    "not_found",
    "There is nothing to watch here, or the address has expired. Read the run again for a new one.",
  );
}
