import { eq } from "drizzle-orm";
import { memories } from "#db/schema/memory.ts";
import { runs } from "#db/schema/runs.ts";
import { sentEvents as table } from "#db/schema/sent-events.ts";
import { triggers, triggerTicks } from "#db/schema/triggers.ts";
import { defined } from "#server/base/defined.ts";
import { type Area, checkMadeOnce } from "../area.ts";
import type { Call } from "../client.ts";

const CREDITS = 1_000_000;
const ENDED = ["succeeded", "failed", "cancelled", "expired"];
/** The events that start runs, and the events that runs wait for. */
const STARTING = "torture.started";
const AWAITED = "torture.awaited";
/** The triggers, by the value of `data.fits` that each requires; null accepts any value. */
const TRIGGERS = new Map([
  ["every", null],
  ["fitting", true],
]);

/** An event under the sender's own id, and the calls that sent it. */
interface Sent {
  name: string;
  fits: boolean;
  calls: Call[];
}

/** Returns a workflow that stores its marker once the event with that key has arrived. */
const waiting = (marker: string) => ({
  name: marker,
  steps: [
    { id: "come", type: "await", events: [{ name: AWAITED, key: marker }], timeoutSeconds: 86_400 },
    {
      id: "act",
      type: "invoke",
      serviceId: "managed-memory",
      operationId: "put",
      input: { content: `${marker} {% steps.come.event.id %}` },
    },
  ],
});

/**
 * Events are sent, some of them twice: each counts once, starts one run by each matching trigger, and resumes one
 * waiting run.
 */
export const sentEvents: Area = {
  name: "sent events",
  weight: 1,
  async start({ client, installation, createAccount, marker }) {
    const { db } = installation.database;
    const { accountId, key } = await createAccount(CREDITS);
    const invoke = (serviceId: string, operationId: string, input: object) => ({
      method: "POST" as const,
      path: `/v1/services/${serviceId}/invoke`,
      key,
      body: { operationId, input },
    });
    for (const [name, fits] of TRIGGERS) {
      const where = fits === null ? {} : { where: [{ path: "data.fits", op: "eq", value: fits }] };
      const content = `${name} {% event.id %}`;
      const start = { serviceId: "managed-memory", operationId: "put", input: { content } };
      const input = { name, on: { event: STARTING, ...where }, start, overlap: "allow" };
      const headers = { "idempotency-key": marker(`put-${name}`) };
      await client.must({ ...invoke("managed-triggers", "put", input), headers });
    }
    const sent = new Map<string, Sent>();
    const started: Call[] = [];

    const send = (id: string, { name, fits }: Sent) =>
      invoke("managed-events", "send", { name, key: id.split("/")[0], id, data: { fits } });
    const rowsOf = () => db.select().from(table).where(eq(table.accountId, accountId));
    const runsOf = () => db.select().from(runs).where(eq(runs.accountId, accountId));
    const ticksOf = () => db.select().from(triggerTicks).where(eq(triggerTicks.accountId, accountId));

    return {
      async call(random) {
        const what = random.fraction();
        if (what < 0.3) {
          const name = marker("waiting");
          const input = { workflow: waiting(name) };
          const body = { serviceId: "managed-workflows", operationId: "execute", input };
          started.push(await client.write(random, name, { method: "POST", path: "/v1/runs", key, body }));
          return;
        }
        const [known] = random.chance(0.3) && sent.size > 0 ? [random.pick([...sent.keys()])] : [];
        // Events from before a run began do not count for it.
        const begun = started.filter(({ outcome }) => outcome === "answered");
        const run = what < 0.6 && begun.length > 0 ? random.pick(begun).marker : null;
        // Several events may arrive for one run: it continues with one of them.
        const id = known ?? (run ? `${run}/${marker("event")}` : marker("event"));
        const fits = random.chance(0.5);
        const event = sent.get(id) ?? { name: run ? AWAITED : STARTING, fits, calls: [] };
        sent.set(id, event);
        event.calls.push(await client.write(random, marker("send"), send(id, event)));
      },

      async pending() {
        const live = (await runsOf()).filter(({ status }) => !ENDED.includes(status));
        const ticks = (await ticksOf()).filter(({ state }) => state === "waiting");
        const came = new Set((await rowsOf()).map(({ key: of }) => of));
        const idle = started.filter(({ outcome, marker: of }) => outcome === "answered" && !came.has(of));
        for (const { marker: of } of idle) {
          const event = { name: AWAITED, fits: false, calls: [] };
          const headers = { "idempotency-key": `last:${of}` };
          await client.must({ ...send(`${of}/last`, event), headers });
        }
        return live.length + ticks.length + idle.length === 0
          ? null
          : `${live.length} runs for events have not ended, and ${ticks.length} events wait; ${live[0]?.id} is ${live[0]?.status}.`;
      },

      async check() {
        const rows = await rowsOf();
        const all = await runsOf();
        const kept = await db.select().from(memories).where(eq(memories.accountId, accountId));
        const acted = kept.map(({ content }) => content);
        const put = await db.select().from(triggers).where(eq(triggers.accountId, accountId));
        const names = new Map(put.map(({ id, name }) => [id, name]));
        const awaiting = all.filter(({ triggerId }) => triggerId === null);
        const markerOf = ({ input }: (typeof all)[number]) =>
          JSON.parse(Buffer.from(input ?? []).toString()).workflow.name as string;
        const ticks = await ticksOf();
        return [
          ...[...sent].flatMap(([id, event]) => checkSent(id, event, rows)),
          ...rows
            .filter(({ name }) => name === STARTING)
            .flatMap((row) => checkStarted(row, { sent, ticks, names, acted })),
          ...checkMadeOnce(
            started,
            awaiting.map((run) => ({ marker: markerOf(run), id: run.id })),
            ({ answer }) => answer.run.id,
          ),
          ...all
            .filter(({ status }) => status !== "succeeded")
            .map(({ id, status, error }) => `The run ${id} is ${status}: ${JSON.stringify(error)}.`),
          ...awaiting.flatMap((run) => checkResumed(markerOf(run), rows, acted)),
        ];
      },
    };
  },
};

type Row = typeof table.$inferSelect;

/**
 * Checks that an event exists once, however often it was sent, and that each response names it; unless all calls were
 * refused or unknown.
 */
function checkSent(id: string, { calls }: Sent, rows: readonly Row[]): string[] {
  const found = rows.filter(({ reference }) => reference === id).map((row) => row.id);
  const answers = calls
    .filter(({ outcome }) => outcome === "answered")
    .map(({ answer }) => answer.result as { eventId: string; repeated: boolean });
  const isRefused = calls.every(({ outcome }) => outcome === "refused");
  const named = new Set(answers.map(({ eventId }) => eventId));
  const firsts = answers.filter(({ repeated }) => !repeated).length;
  const about = `The event ${id}, sent ${calls.length} times (${calls.map(({ outcome }) => outcome).join(", ")}),`;
  return [
    ...(found.length <= 1 && (answers.length === 0 || found.length === 1) && !(isRefused && found.length > 0)
      ? []
      : [`${about} is there ${found.length} times.`]),
    ...(named.size <= 1 && [...named].every((one) => found.includes(one))
      ? []
      : [`${about} was answered ${JSON.stringify([...named])}, and is ${JSON.stringify(found)}.`]),
    ...(firsts <= 1 ? [] : [`${about} was answered ${firsts} times as the first.`]),
  ];
}

interface StartedBy {
  sent: ReadonlyMap<string, Sent>;
  ticks: readonly (typeof triggerTicks.$inferSelect)[];
  names: ReadonlyMap<string, string>;
  acted: readonly string[];
}

/** Checks that each matching trigger has started one run by the event, with one effect, and others none. */
function checkStarted(row: Row, { sent, ticks, names, acted }: StartedBy): string[] {
  const { fits } = sent.get(row.reference ?? "") ?? { fits: false };
  return [...names].flatMap(([triggerId, name]) => {
    const wanted = TRIGGERS.get(name);
    const due = wanted === null || wanted === fits ? 1 : 0;
    const own = ticks.filter((tick) => tick.triggerId === triggerId && tick.eventId === row.id);
    const times = acted.filter((content) => content === `${name} ${row.id}`).length;
    const states = own.map(({ state, error }) => `${state} ${JSON.stringify(error)}`);
    if (own.length === due && own.every(({ state }) => state === "started") && times === due) return [];
    return [
      `The event ${row.reference} was for the trigger ${name} ${states.join(", ") || "nothing"}, and its runs acted ${times} times, not ${due}.`,
    ];
  });
}

/** Checks that a waiting run has continued once, by an event with its key. */
function checkResumed(marker: string, rows: readonly Row[], acted: readonly string[]): string[] {
  const own = acted.filter((content) => content.startsWith(`${marker} `));
  const events = rows.filter(({ key }) => key === marker).map(({ id }) => `${marker} ${id}`);
  return own.length === 1 && events.includes(defined(own[0]))
    ? []
    : [
        `The run ${marker} acted ${own.length} times: ${own.join(", ")}; its events are ${events.join(", ")}.`,
      ];
}
