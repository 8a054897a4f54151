import { sql } from "drizzle-orm";
import { defined } from "#server/base/defined.ts";
import { ApiError } from "#server/operation/errors.ts";
import { fromStored, toStored } from "#server/operation/payload.ts";
import { ownSpace } from "#server/operation/tenancy.ts";
import { endLookback, pastEvents, readWait } from "#server/sent-events/queries.ts";
import { type AwaitedEvent, isPlatforms } from "#server/sent-events/schema.ts";
import { fenceArguments } from "./claim-runs.ts";
import type { EventOutcome, EventRequest } from "./run-context.ts";
import type { StepParts } from "./step-lifecycle.ts";

/** The number of earlier platform events that one statement searches. */
const PAGE = 200;
/** The shortest time of a search for earlier events: a step that waits for a moment only gets one of them, too. */
const SEARCH_MS = 5000;

/** Runs a step that waits for the first of several events, without a worker, and returns that event. */
export async function awaitEvent(
  { run, db, journal, caller, lifecycle }: StepParts,
  name: string,
  { events, lookbackSeconds, timeoutSeconds, deadline, goesOnLate }: EventRequest,
): Promise<EventOutcome> {
  const { enter, assertRunning, suspend, within, outputOf } = lifecycle;
  const entry = enter(name);
  if (entry?.state === "done") return outputOf<EventOutcome>(name, entry);
  const step = sql`${fenceArguments(run.fence)}, ${name}`;
  const which = { accountId: run.accountId, runId: run.id, step: name };
  return within(name, async () => {
    const startedAt = performance.now();
    const until = Math.min(run.now() + timeoutSeconds * 1000, deadline ?? Infinity);
    if (!entry)
      assertRunning(
        await journal.awaitEvents({
          name,
          space: ownSpace(caller),
          events: events.map((event) => ({ ...event, ofPlatform: isPlatforms(event.name) })),
          lookbackSeconds: lookbackSeconds ?? null,
          until: new Date(until),
        }),
      );
    const ends = entry?.wakeAt?.getTime() ?? until;
    const event = await answerOf(Math.max(ends, run.now() + SEARCH_MS));
    if (!event) {
      if (ends > run.now()) return suspend(name, "wait");
      const [row] = await db.execute<{ ended: boolean }>(sql`select end_wait(${step}) as ended`);
      // The event came at the last moment, or another worker has claimed the run: the next claim finds out.
      if (!row?.ended) return suspend(name, "wait");
      if (!goesOnLate || (deadline !== null && deadline <= run.now()))
        throw new ApiError("service_timeout", `No event came for ${name} in its time.`, {
          operationState: "completed",
        });
    }
    const outcome = { event, timedOut: event === null };
    const output = toStored(run, name, outcome);
    assertRunning(await journal.finishStep(db, { name, output, startedAt }));
    return fromStored<EventOutcome>(run, name, output);
  });

  /**
   * Returns the event that ended the wait, including one from before the step began to wait. The search for these ends at
   * `searchUntil` at the latest.
   */
  async function answerOf(searchUntil: number): Promise<AwaitedEvent | null> {
    const { unseen, event } = await readWait(db, which);
    if (event || !unseen) return event;
    const isLate = () => searchUntil <= run.now();
    const ids = { account: run.fence.accountId, run: run.fence.runId, step: name };
    for await (const { eventId, nth } of pastEvents(db, ids, isLate)) {
      const [row] = await db.execute<{ taken: boolean }>(
        sql`select take_past_event(${step}, ${nth}, ${eventId}::uuid) as taken`,
      );
      const found = row?.taken ? null : await readWait(db, which);
      if (row?.taken || found?.event) return (await readWait(db, which)).event;
    }
    let after: string | null = null;
    let isOver = !events.some((one) => isPlatforms(one.name));
    while (!isOver) {
      if (isLate()) return null;
      const rows: { taken: boolean | null; searched: string | null }[] = await db.execute(
        sql`select taken, searched from take_past_platform_event(${step}, ${after}::uuid, ${PAGE}::int)`,
      );
      const { taken, searched } = defined(rows[0]);
      if (taken !== false) return (await readWait(db, which)).event;
      after = searched;
      isOver = searched === null;
    }
    if (isLate()) return null;
    await endLookback(db, which);
    return (await readWait(db, which)).event;
  }
}
