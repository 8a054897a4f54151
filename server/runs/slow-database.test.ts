import { afterAll, expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { uuidOf } from "#server/base/ids.ts";
import { startApi } from "#server/testing/api.ts";
import { createPayingKey, invokeMemory } from "#server/testing/credits.ts";
import { type Asked, connectModel, type Scripted, startModelServer } from "#server/testing/model-server.ts";
import { startPeer } from "#server/testing/peer.ts";
import { createRun, runWith, startRuns, timesClaimed } from "#server/testing/runs.ts";
import { startStored, storeWorkflow } from "#server/testing/stored-workflows.ts";
import { untilAnswered } from "#server/testing/until-answered.ts";
import { createStarter } from "#server/testing/workflows.ts";

const PUT = "services.invoke.managed-memory.put";
const api = await startApi();
const worker = await startRuns(api);
const model = await startModelServer(({ body }: Asked): Scripted => {
  if (body.messages.some(({ role }: { role: string }) => role === "tool")) return { text: "Done." };
  return { toolCalls: [{ name: PUT.replaceAll(".", "_"), arguments: { input: { content: "agent" } } }] };
});
afterAll(() => Promise.all([worker.stop(), model.stop()]));

test("makes a run's call once though the database took too long for it at first", async () => {
  const { key } = await createPayingKey(api, 1000);
  const { client } = api.platform.database;
  const connectionId = await connectModel(api, key, model.baseUrl);
  const note = { id: "note", type: "invoke", serviceId: "managed-memory", operationId: "put" };
  const workflow = { name: "Slow", steps: [{ ...note, input: { content: "workflow" } }] };
  const agent = { input: "Remember it.", tools: [PUT], approveWrites: false, connectionId };
  const direct = { operationId: "put", input: { content: "direct" } };
  const idempotencyKey = "slow-database";
  const put = () =>
    api.send("POST", "/v1/services/managed-memory/invoke", { key, body: direct, idempotencyKey });
  const create = () =>
    api.send("POST", "/v1/projects", { key, body: { name: "Slow" }, idempotencyKey: "slow-project" });

  const runs = await client.begin(async (tx) => {
    await tx`lock table memories, projects in share mode`;
    const created = await Promise.all([
      createRun(api, key, { serviceId: "managed-workflows", operationId: "execute", input: { workflow } }),
      createRun(api, key, { serviceId: "managed-agents", operationId: "respond", input: agent }),
    ]);
    const slow = await Promise.all([put(), create()]);
    expect(slow.map(({ status, body: { error } }) => [status, error.code, error.operationState])).toEqual([
      [503, "service_unavailable", "unknown"],
      [503, "service_unavailable", "not_started"],
    ]);
    // The database's own limit comes first, but on a busy machine its refusal may come later than the connection's end.
    const message = async () => (await create()).body.error.message;
    await expect.poll(message).toBe("The platform's database (DATABASE_URL) took too long.");
    return created.map(({ body }) => body.run.id);
  });
  const repeated = await Promise.all([untilAnswered(put), untilAnswered(create)]);
  expect(repeated.map(({ status }) => status)).toEqual([200, 201]);
  for (const id of runs) await runWith(api, key, id, "succeeded");
  const { memories } = (await invokeMemory(api, key, "list", {})).body.result;
  const kept = memories.map(({ content }: { content: string }) => content).sort();
  expect(kept).toEqual(["agent", "direct", "workflow"]);
});

test("sends a step's request once though the database took too long before it was sent", async () => {
  const { root, start, connect } = await createStarter(api);
  const peer = await startPeer(() => ({ body: "Taken." }));
  const connectionId = await connect(peer.host);
  const send = { id: "send", type: "http", connectionId, method: "POST", url: `${peer.origin}/send` };
  const callback = { timeoutSeconds: 3600 };
  const hand = { ...send, url: `${peer.origin}/hand`, body: "{% callback.url %}", callback };
  const [sent = "", handed = ""] = await api.platform.database.client.begin(async (tx) => {
    await tx`lock table connections in share mode`;
    const ids = [await start({ name: "Send", steps: [send] }), await start({ name: "Hand", steps: [hand] })];
    for (const id of ids) await expect.poll(() => timesClaimed(api, id)).toBeGreaterThan(1);
    return ids;
  });
  await runWith(api, root, sent, "succeeded");
  const address = () => peer.received.find(({ path }) => path === "/hand")?.body;
  await expect.poll(address).toContain("/resume/");
  const { pathname } = new URL(defined(address()));
  const headers = { "content-type": "application/json" };
  await fetch(api.origin + pathname, { method: "POST", headers, body: "{}" });
  await runWith(api, root, handed, "succeeded");
  expect(peer.received.map(({ path }) => path).sort()).toEqual(["/hand", "/send"]);
});

test("retries a run at growing intervals while its statement takes too long, and can cancel it meanwhile", async () => {
  const { key } = await createPayingKey(api, 1000);
  const { client } = api.platform.database;
  const step = { id: "note", type: "invoke", serviceId: "managed-memory", operationId: "put" };
  const workflow = { name: "Slow", steps: [{ ...step, input: { content: "later" } }] };
  const input = { serviceId: "managed-workflows", operationId: "execute", input: { workflow } };
  const begun = new Map<number, number>();
  const goingOn = await client.begin(async (tx) => {
    await tx`lock table memories in share mode`;
    const [run, other] = (await Promise.all([createRun(api, key, input), createRun(api, key, input)])).map(
      ({ body }) => body.run.id,
    );
    const claimed = async () => {
      const times = defined(await timesClaimed(api, run ?? ""));
      if (!begun.has(times)) begun.set(times, performance.now());
      return times;
    };
    await expect.poll(claimed, { interval: 50 }).toBe(6);
    const answer = await api.send("POST", `/v1/runs/${other}/cancel`, { key });
    expect([200, 202]).toContain(answer.status);
    await runWith(api, key, other ?? "", "cancelled");
    return run as string;
  });
  const gap = (fence: number) => defined(begun.get(fence + 1)) - defined(begun.get(fence));
  // After the first interruption there is no pause, after the fifth one of four seconds.
  expect(gap(5)).toBeGreaterThan(gap(1) + 1000);
  await runWith(api, key, goingOn, "succeeded");
});

test("starts delayed runs of others while the database holds up one account's", async () => {
  const [blocked, other] = [await createPayingKey(api, 100), await createPayingKey(api, 100)];
  const put = (startAt: Date) => ({
    serviceId: "managed-memory",
    operationId: "put",
    input: { content: "delayed" },
    startAt: startAt.toISOString(),
  });
  const { client } = api.platform.database;
  const locked = await client.reserve();
  await locked`begin`;
  await locked`select from ledger_accounts where account_id = ${uuidOf("account", blocked.accountId)} for update`;
  const soon = Date.now() + 5000;
  const first = await createRun(api, blocked.key, put(new Date(soon)));
  const second = await createRun(api, other.key, put(new Date(soon + 500)));
  await runWith(api, other.key, second.body.run.id, "succeeded");
  const { body } = await api.send("GET", `/v1/runs/${first.body.run.id}`, { key: blocked.key });
  expect(body.run.status).toBe("queued");
  await locked`rollback`;
  locked.release();
  await runWith(api, blocked.key, first.body.run.id, "succeeded");
});

test("starts other runs while starts of many accounts wait for locks", async () => {
  const accounts = await Promise.all(Array.from({ length: 20 }, () => createPayingKey(api, 100)));
  const { key } = await createPayingKey(api, 100);
  const ids = accounts.map(({ accountId }) => uuidOf("account", accountId));
  const { client } = api.platform.database;
  const locked = await client.reserve();
  await locked`begin`;
  await locked`select from ledger_accounts where account_id = any(${ids}) for update`;
  const startAt = new Date(Date.now() + 5000).toISOString();
  const put = { serviceId: "managed-memory", operationId: "put", input: { content: "delayed" } };
  const delayed = await Promise.all(accounts.map(({ key }) => createRun(api, key, { ...put, startAt })));
  const waiting = () => client`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await waiting()).length, { interval: 10 }).toBe(1);
  await runWith(api, key, (await createRun(api, key, put)).body.run.id, "succeeded");
  const [postponed] = await client<{ count: number }[]>`
    select count(distinct account_id)::int as count from run_timeline
    where account_id = any(${ids}) and data ->> 'code' = 'service_unavailable'`;
  expect(postponed?.count).toBeLessThan(accounts.length);
  await locked`rollback`;
  locked.release();
  for (const [nth, { key }] of accounts.entries())
    await runWith(api, key, delayed[nth]?.body.run.id, "succeeded");
});

test("resumes parents of others while the database holds up one whose child has ended", async () => {
  const steps = [{ id: "wait", type: "wait", seconds: 1 }];
  const family = async () => {
    const { key } = await createPayingKey(api, 100);
    await storeWorkflow(api, key, "child", steps);
    await storeWorkflow(api, key, "parent", [{ id: "child", type: "run", name: "child" }]);
    return key;
  };
  const [blocked, other] = [await family(), await family()];
  const { client } = api.platform.database;
  const first = (await startStored(api, blocked, { name: "parent" })).body.run;
  await runWith(api, blocked, first.id, "running");
  const waits = () => client`
    select from runs r join runs c on c.account_id = r.account_id and c.parent_id = r.id
    where r.id = ${uuidOf("run", first.id)} and r.worker is null`;
  await expect.poll(async () => (await waits()).length).toBe(1);
  const locked = await client.reserve();
  await locked`begin`;
  await locked`select from runs where id = ${uuidOf("run", first.id)} for update`;
  const second = (await startStored(api, other, { name: "parent" })).body.run;
  await runWith(api, other, second.id, "succeeded");
  await locked`rollback`;
  locked.release();
  await runWith(api, blocked, first.id, "succeeded");
});
