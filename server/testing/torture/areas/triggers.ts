import { and, eq, isNull, lte } from "drizzle-orm";
import { memories } from "#db/schema/memory.ts";
import { runs } from "#db/schema/runs.ts";
import { triggers as table, triggerTicks } from "#db/schema/triggers.ts";
import type { Random } from "#server/testing/random.ts";
import { type Area, checkMadeOnce } from "../area.ts";
import type { Call } from "../client.ts";
import { startQuickClock } from "../quick-clock.ts";

const CREDITS = 1_000_000;
const EVERY_SECONDS = 60;
const EVERY_MS = EVERY_SECONDS * 1000;
/** The maximum of triggers: each starts a run every two seconds, by the quick clock. */
const MAX_TRIGGERS = 5;
const OVERLAPS = ["skip", "queue_one", "allow", "cancel_previous"];
/** No time is skipped, however long no worker is running. */
const CATCH_UP_SECONDS = 2_592_000;

interface Known {
  name: string;
  id: string;
  overlap: string;
  /** True if it is never paused or deleted, and so starts a run at each of its times. */
  isSteady: boolean;
  firstAt: number;
  /** True while a call changes it, or if such a call's outcome is unknown. */
  busy: boolean;
  /** The intervals, by the quick clock, in which nothing of its schedule was due. */
  pauses: { from: number; until: number }[];
  deleted: boolean;
  fires: Call[];
}

/**
 * Interval triggers are created, fired, paused, resumed and deleted; each of their times starts one run, with one
 * effect.
 */
export const triggers: Area = {
  name: "triggers",
  weight: 1,
  async start({ client, installation, createAccount, marker }) {
    const { db } = installation.database;
    const { accountId, key } = await createAccount(CREDITS);
    const clock = await startQuickClock(installation.database);
    const puts: Call[] = [];
    const known: Known[] = [];
    let creating = 0;
    let paused = false;

    const invoke = (operationId: string, input: object) => ({
      method: "POST" as const,
      path: "/v1/services/managed-triggers/invoke",
      key,
      body: { operationId, input },
    });
    const putOf = (name: string, overlap: string) => {
      const start = { serviceId: "managed-memory", operationId: "put", input: { content: name } };
      const on = { everySeconds: EVERY_SECONDS };
      return invoke("put", { name, on, start, overlap, catchUpSeconds: CATCH_UP_SECONDS });
    };

    /** Returns the number of triggers that exist or may exist. */
    const mayExist = () =>
      creating +
      puts.filter(({ outcome }) => outcome !== "refused").length -
      known.filter(({ deleted }) => deleted).length;

    async function put(random: Random) {
      creating += 1;
      await create(random).finally(() => {
        creating -= 1;
      });
    }

    async function create(random: Random) {
      const name = marker("trigger");
      const isSteady = known.length === 0 || random.chance(0.2);
      const overlap = isSteady ? "allow" : random.pick(OVERLAPS);
      const call = await client.write(random, name, putOf(name, overlap));
      puts.push(call);
      if (call.outcome !== "answered") return;
      const { id, nextAt } = call.answer.result.trigger;
      const firstAt = Date.parse(nextAt);
      const is = { isSteady, busy: false, deleted: false };
      known.push({ name, id, overlap, firstAt, ...is, pauses: [], fires: [] });
    }

    /** Pauses, resumes or deletes a trigger that no other call is changing. */
    async function change(random: Random, trigger: Known) {
      const open = trigger.pauses.find(({ until }) => until === Number.POSITIVE_INFINITY);
      const what = random.chance(0.3) ? "delete" : open ? "resume" : "pause";
      trigger.busy = true;
      const asked = clock.now();
      const call = await client.write(random, marker(what), invoke(what, { name: trigger.name }));
      if (what === "resume" && open && call.outcome !== "refused") open.until = asked;
      // After an unknown outcome it is not changed again.
      if (call.outcome === "unknown") return;
      trigger.busy = false;
      if (call.outcome === "refused") return;
      if (what === "delete") trigger.deleted = true;
      if (what !== "resume") trigger.pauses.push({ from: clock.now(), until: Number.POSITIVE_INFINITY });
    }

    const rowsOf = () => db.select().from(table).where(eq(table.accountId, accountId));
    const runsOf = () => db.select().from(runs).where(eq(runs.accountId, accountId));
    const ticksOf = () => db.select().from(triggerTicks).where(eq(triggerTicks.accountId, accountId));

    return {
      async call(random) {
        const free = known.filter(({ busy, deleted }) => !busy && !deleted);
        const what = random.fraction();
        if ((free.length === 0 || what < 0.2) && mayExist() < MAX_TRIGGERS) return put(random);
        if (free.length === 0) return client.send({ method: "GET", path: "/v1/runs?limit=100", key }, random);
        const trigger = random.pick(free);
        const { id, name, overlap, isSteady, fires } = trigger;
        if (what < 0.45)
          return fires.push(await client.write(random, marker("fire"), invoke("fire", { name })));
        if (what < 0.7)
          return client.send({ method: "GET", path: `/v1/runs?triggerId=${id}&limit=100`, key }, random);
        if (!isSteady) return change(random, trigger);
        // An unchanged trigger that is put again continues as before.
        return client.write(random, marker("again"), putOf(name, overlap));
      },

      calm: () => clock.slowDown(),

      async pending() {
        const until = await clock.slowDown();
        const active = and(eq(table.accountId, accountId), isNull(table.pausedReason));
        const due = await db
          .select()
          .from(table)
          .where(and(active, lte(table.nextAt, until)));
        const waiting = (await ticksOf()).filter(({ state }) => state === "waiting");
        const live = (await runsOf()).filter(({ finishedAt }) => finishedAt === null);
        if (due.length + waiting.length + live.length > 0)
          return `${due.length} triggers are due, ${waiting.length} of their times wait, and ${live.length} runs have not ended.`;
        if (paused) return null;
        for (const { name } of await db.select().from(table).where(active)) {
          const headers = { "idempotency-key": `pause:${name}` };
          await client.must({ ...invoke("pause", { name }), headers });
        }
        paused = true;
        return "Triggers were just paused.";
      },

      async check() {
        const until = (await clock.slowDown()).getTime();
        const rows = await rowsOf();
        const ids = new Set(rows.map(({ id }) => id));
        const started = Map.groupBy(await runsOf(), ({ triggerId }) => triggerId ?? "");
        const kept = await db.select().from(memories).where(eq(memories.accountId, accountId));
        const acted = Map.groupBy(kept, ({ content }) => content);
        const lost = (await ticksOf()).filter(({ state }) => state === "refused" || state === "missed");
        const odd = known.filter(({ id, busy, deleted }) => !busy && deleted === ids.has(id));
        const gone = new Set(known.filter(({ id }) => !ids.has(id)).map(({ name }) => name));
        return [
          ...checkMadeOnce(
            puts.filter((call) => !gone.has(call.marker)),
            rows.map(({ name, id }) => ({ marker: name, id })),
            ({ answer }) => answer.result.trigger.id,
          ),
          ...odd.map(
            ({ id, deleted }) =>
              `The trigger ${id}, ${deleted ? "" : "not "}deleted, is ${deleted ? "" : "not "}there.`,
          ),
          ...lost.map(
            ({ triggerId, at, state, error }) =>
              `The time ${at.toISOString()} of ${triggerId} was ${state}: ${JSON.stringify(error)}.`,
          ),
          ...known.flatMap((trigger) => {
            const actions = acted.get(trigger.name)?.length ?? 0;
            const isThere = ids.has(trigger.id);
            return checkTrigger(trigger, started.get(trigger.id) ?? [], { actions, isThere, until });
          }),
        ];
      },
    };
  },
};

interface Found {
  /** The number of its runs' effects. */
  actions: number;
  isThere: boolean;
  /** The time, by the quick clock, up to which all due runs have been started. */
  until: number;
}

/** Checks that it has one run for each of its times and fires. */
function checkTrigger(
  trigger: Known,
  started: readonly (typeof runs.$inferSelect)[],
  { actions, isThere, until }: Found,
): string[] {
  const { firstAt, overlap, isSteady, pauses } = trigger;
  const about = `The trigger ${trigger.id} (${trigger.name}, ${overlap})`;
  const at = (time: number) => new Date(time).toISOString();
  const ends = overlap === "cancel_previous" ? ["succeeded", "cancelled"] : ["succeeded"];
  const wrong = started.filter(({ status }) => !ends.includes(status));
  const succeeded = started.filter(({ status }) => status === "succeeded").length;
  const times = started.map(({ scheduledAt }) => scheduledAt?.getTime() ?? 0);
  const startedOnce = new Set(times);
  const fired = trigger.fires
    .filter(({ outcome }) => outcome === "answered")
    .map(({ answer }) => Date.parse(answer.result.scheduledAt));
  const scheduled = times.filter((time) => !fired.includes(time));
  const invented = scheduled.filter((time) => time < firstAt || (time - firstAt) % EVERY_MS !== 0);
  const late = scheduled.filter((time) => pauses.some(({ from, until }) => time > from && time < until));
  const due = [...fired];
  for (let time = firstAt; isSteady && time <= until; time += EVERY_MS) due.push(time);
  // Pending starts are deleted with the trigger.
  const silent = isThere ? due.filter((time) => !startedOnce.has(time)) : [];
  return [
    ...wrong.map(({ id, status, error }) => `${about} started ${id}: ${status}, ${JSON.stringify(error)}.`),
    ...(startedOnce.size === times.length ? [] : [`${about} started two runs for a time.`]),
    ...(new Set(fired).size === fired.length ? [] : [`${about} was fired twice for a time.`]),
    ...invented.map((time) => `${about} started a run for ${at(time)}, which is no time of its.`),
    ...late.map((time) => `${about} started a run for ${at(time)}, when it was paused or deleted.`),
    ...silent.map((time) => `${about} started no run for ${at(time)}.`),
    ...(actions >= succeeded && actions <= started.length
      ? []
      : [
          `${about} started ${started.length} runs, of which ${succeeded} succeeded; they acted ${actions} times.`,
        ]),
  ];
}
