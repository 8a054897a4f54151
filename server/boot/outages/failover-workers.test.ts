import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { memories } from "#db/schema/memory.ts";
import { ALL_SCOPES, clientOf } from "#server/testing/api.ts";
import { eventually } from "#server/testing/eventually.ts";
import { declaredExample } from "#server/testing/operator-services.ts";
import { startPeer } from "#server/testing/peer.ts";
import { startProduction, THIS_RELEASE } from "#server/testing/production.ts";
import { startWithStandby } from "#server/testing/standby.ts";
import { checkAudit } from "#server/testing/torture/invariants/audit.ts";
import { checkLedger } from "#server/testing/torture/invariants/ledger.ts";

const CREDITS = 10_000;
/** As many as two workers execute of one account at a time, each of them eight. */
const RUNS = Array.from({ length: 16 }, (_, nth) => `run ${nth}`);
/**
 * The runs that are at the outside service when the primary dies: more than one worker's. The others are between steps
 * and within them.
 */
const HELD = RUNS.filter((_, nth) => nth % 8 < 5);

/**
 * Starts an outside service that reserves an item once for each idempotency key. It answers calls for the given items
 * once they are released.
 */
async function startReservations(held: ReadonlySet<string>) {
  const reserved = new Map<string, string>();
  const waiting = new Map<string, PromiseWithResolvers<void>>();
  const { origin } = await startPeer(async ({ headers, body }) => {
    const { item, quantity } = JSON.parse(body).input;
    const key = String(headers["idempotency-key"]);
    const known = reserved.has(key);
    reserved.set(key, item);
    if (held.has(item) && !known) {
      const answer = Promise.withResolvers<void>();
      waiting.set(item, answer);
      await answer.promise;
    }
    return { body: { id: key, item, quantity } };
  });
  return {
    service: declaredExample({ baseUrl: origin, timeoutMs: 50_000 }),
    waiting: () => waiting.size,
    release: (items: readonly string[]) => {
      for (const item of items) waiting.get(item)?.resolve();
    },
    items: () => [...reserved.values()],
  };
}

const keep = (id: string, content: string) => ({
  id,
  type: "invoke",
  serviceId: "managed-memory",
  operationId: "put",
  input: { content },
});
const reserve = (id: string, item: string) => ({
  id,
  type: "invoke",
  serviceId: "example-desk",
  operationId: "reserve",
  input: { item, quantity: 1 },
});

const STEPS = ["a", "b", "c", "d"];
const contentsOf = (name: string) => ["first", ...STEPS, "last"].map((step) => `${name} ${step}`);
const itemsOf = (name: string) => [name, `${name} again`];
const workflowOf = (name: string) => ({
  name,
  steps: [
    keep("first", `${name} first`),
    reserve("reserve", name),
    ...STEPS.flatMap((id) => [keep(id, `${name} ${id}`), { id: `wait-${id}`, type: "wait", seconds: 0.5 }]),
    reserve("again", `${name} again`),
    keep("last", `${name} last`),
  ],
});

test("runs of two worker processes go on over a failover: each effect takes place once, and no process ends", async () => {
  const cluster = await startWithStandby();
  const outside = await startReservations(new Set(HELD));
  const production = await startProduction({
    databaseUrl: cluster.url,
    webs: 1,
    services: [outside.service],
  });
  const { ports, database, balancer } = production;
  const processes = [
    await production.startWeb(THIS_RELEASE, ports[0] ?? 0),
    await production.startWorker("worker-1", THIS_RELEASE),
    await production.startWorker("worker-2", THIS_RELEASE),
  ];
  await expect.poll(balancer.healthy).toEqual(ports);
  const { creditToken } = await production.createAccount(THIS_RELEASE, CREDITS);
  const { send, mustSend } = clientOf(`http://127.0.0.1:${ports[0]}`);
  const headers = { "x-service-credit-token": creditToken };
  const root = { label: "Root", scopes: ALL_SCOPES };
  const { secret: key } = await mustSend(201, "POST", "/v1/api-keys", { headers, body: root });

  const ids = await Promise.all(
    RUNS.map(async (name) => {
      const input = { workflow: workflowOf(name) };
      const body = { serviceId: "managed-workflows", operationId: "execute", input };
      return (await mustSend(202, "POST", "/v1/runs", { key, body })).run.id;
    }),
  );
  const working = () =>
    database.db.execute(
      sql`select distinct worker from runs where worker is not null and status = 'running'`,
    );
  await expect.poll(outside.waiting).toBe(HELD.length);
  await expect.poll(working).toHaveLength(2);

  await cluster.killPrimary();
  await eventually(async () => (await send("GET", "/v1/projects", { key })).status === 503 || undefined);
  outside.release(HELD.slice(0, HELD.length / 2));
  await cluster.failOver();
  await eventually(async () => (await send("GET", "/v1/projects", { key })).status === 200 || undefined);
  outside.release(HELD);

  const ended = await Promise.all(
    ids.map((id) =>
      eventually(async () => {
        const { run } = await mustSend(200, "GET", `/v1/runs/${id}`, { key });
        return run.finishedAt ? { name: run.name, status: run.status, error: run.error } : undefined;
      }),
    ),
  );
  expect(ended).toEqual(RUNS.map((name) => ({ name, status: "succeeded", error: null })));
  const kept = await database.db.select().from(memories);
  expect(kept.map(({ content }) => content).toSorted()).toEqual(RUNS.flatMap(contentsOf).toSorted());
  expect(outside.items().toSorted()).toEqual(RUNS.flatMap(itemsOf).toSorted());
  expect(processes.map(({ child }) => child.exitCode ?? child.signalCode)).toEqual([null, null, null]);
  expect(await checkLedger(production)).toEqual([]);
  expect(await checkAudit(production, new Set())).toEqual([]);
  production.forget();
});
