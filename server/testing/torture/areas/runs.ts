import { eq } from "drizzle-orm";
import { memories } from "#db/schema/memory.ts";
import { projects } from "#db/schema/projects.ts";
import { runs as table } from "#db/schema/runs.ts";
import { keysOf } from "#server/base/keys-of.ts";
import type { Random } from "#server/testing/random.ts";
import { type Area, checkMadeOnce } from "../area.ts";
import type { Call } from "../client.ts";
import type { EventEndpoint } from "./event-endpoint.ts";
import type { ServicePeer } from "./service-peer.ts";

const CREDITS = 1_000_000;
const ENDED = ["succeeded", "failed", "cancelled", "expired"];
const OUTSIDE = "count";
/** The maximum cost of a step that calls the outside service. */
const OUTSIDE_CREDITS = 50;
/** The maximum charge of any other step. */
const STEP_CREDITS = 3;

/** The steps of a workflow, each with an effect that its marker identifies. */
const STEPS = {
  project: (marker: string) => ({ type: "operation", operation: "projects.create", body: { name: marker } }),
  memory: (marker: string) => ({
    type: "invoke",
    serviceId: "managed-memory",
    operationId: "put",
    // Without a name each memory is a new one.
    input: { content: marker },
  }),
  [OUTSIDE]: (marker: string) => ({
    type: "invoke",
    serviceId: "example-desk",
    operationId: "count",
    input: { text: `${marker} two three` },
    retry: { maxAttempts: 3, backoffSeconds: 1, factor: 1, on: ["service_timeout", "service_unavailable"] },
  }),
  wait: () => ({ type: "wait", seconds: 1 }),
  artifact: (marker: string) => ({
    type: "artifact",
    name: marker,
    mediaType: "text/plain",
    content: marker,
  }),
};

type StepName = keyof typeof STEPS;

function makeWorkflow(marker: string, random: Random) {
  const chosen = keysOf(STEPS).filter(() => random.chance(0.5));
  const names: StepName[] = chosen.length > 0 ? chosen : ["wait"];
  return { name: marker, steps: names.map((id) => ({ id, ...STEPS[id](marker) })) };
}

/** Workflows whose steps take effect once, although their workers die; some are cancelled. */
export const runs = (peer: ServicePeer, endpoint: EventEndpoint): Area => ({
  name: "runs",
  weight: 2,
  async start({ client, installation, createAccount, marker }) {
    const { db } = installation.database;
    const { accountId, key } = await createAccount(CREDITS);
    await endpoint.subscribe(client, accountId, key);
    const created: Call[] = [];
    const cancelled = new Set<string>();
    const allOf = () => db.select().from(table).where(eq(table.accountId, accountId));

    return {
      async call(random) {
        const what = random.fraction();
        const known = created.filter(({ outcome }) => outcome === "answered");
        if (what < 0.5 || known.length === 0) {
          const name = marker("run");
          const input = { workflow: makeWorkflow(name, random) };
          const body = { serviceId: "managed-workflows", operationId: "execute", input };
          created.push(await client.write(random, name, { method: "POST", path: "/v1/runs", key, body }));
          return;
        }
        const { id } = random.pick(known).answer.run;
        if (what < 0.9) return client.send({ method: "GET", path: `/v1/runs/${id}`, key }, random);
        cancelled.add(id);
        const path = `/v1/runs/${id}/cancel`;
        return client.write(random, marker("cancel"), { method: "POST", path, key, body: {} });
      },

      async pending() {
        const live = (await allOf()).filter(({ status }) => !ENDED.includes(status));
        if (live.length === 0) return null;
        const [first] = live;
        return `${live.length} runs have not ended; ${first?.id} is ${first?.status}.`;
      },

      async check() {
        const rows = await allOf();
        const written = rows.map((row) => ({
          ...row,
          workflow: JSON.parse(Buffer.from(row.input ?? []).toString()).workflow as ReturnType<
            typeof makeWorkflow
          >,
        }));
        const made = await db.select().from(projects).where(eq(projects.accountId, accountId));
        const projectsOf = Map.groupBy(made, ({ name }) => name);
        const kept = await db.select().from(memories).where(eq(memories.accountId, accountId));
        const memoriesOf = Map.groupBy(kept, ({ content }) => content);
        const effects = Map.groupBy(peer.effects.values(), (effect) => effect.marker);

        const faults = written.flatMap(({ id, status, error, workflow }) => {
          const steps = workflow.steps.map((step) => step.id);
          const about = `The run ${id} (${workflow.name}: ${steps.join(", ")}) is ${status}`;
          const mayFail = steps.includes(OUTSIDE) || (status === "cancelled" && cancelled.has(id));
          const counts: [StepName, number][] = [
            ["project", projectsOf.get(workflow.name)?.length ?? 0],
            ["memory", memoriesOf.get(workflow.name)?.length ?? 0],
            [OUTSIDE, effects.get(workflow.name)?.length ?? 0],
          ];
          const wrong = counts.filter(([step, count]) => {
            const due = steps.includes(step) ? 1 : 0;
            return count > due || (status === "succeeded" && count < due);
          });
          return [
            ...(status === "succeeded" || mayFail ? [] : [`${about}: ${JSON.stringify(error)}.`]),
            ...wrong.map(([step, count]) => `${about}, and has made its step ${step} ${count} times.`),
          ];
        });

        const delivered = endpoint.about(accountId, ({ data }) => data.run?.id);
        const silent = rows.flatMap(({ id, status }) => {
          const events = (delivered.get(id) ?? []).toSorted((one, two) => one.sequence - two.sequence);
          const isWhole = events.every(({ sequence }, place) => sequence === place + 1);
          if (isWhole && events.at(-1)?.type === `run.${status}`) return [];
          const came = events.map(({ type, sequence }) => `${sequence} ${type}`).join(", ");
          return [`The run ${id} is ${status}; its events were ${came || "none"}.`];
        });

        const { balance } = await client.must({ method: "GET", path: "/v1/credits/balance", key });
        const charged = rows.reduce((sum, { chargedCredits }) => sum + chargedCredits, 0);
        // A run that was ended during a step does not report that step's charge.
        const cut = rows.filter(({ status }) => status !== "succeeded").length * STEP_CREDITS;
        const spent = CREDITS - balance.totalCredits;
        // A step whose service did not respond leaves its credits held for a day.
        const inDoubt = written.filter(
          ({ status, workflow }) => status !== "succeeded" && workflow.steps.some(({ id }) => id === OUTSIDE),
        );
        const held = balance.reservedCredits / OUTSIDE_CREDITS;
        const started = written.map(({ workflow, id }) => ({ marker: workflow.name, id }));
        return [
          ...checkMadeOnce(created, started, ({ answer }) => answer.run.id),
          ...faults,
          ...silent,
          ...(held <= inDoubt.length ? [] : [`${held} steps have set credits aside; ${inDoubt.length} may.`]),
          ...(spent >= charged && spent <= charged + cut
            ? []
            : [`Runs were charged ${charged} credits, and ${spent} are gone.`]),
        ];
      },
    };
  },
});
