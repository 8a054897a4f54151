import { createHmac, randomUUID } from "node:crypto";
import { parseEther } from "viem";
import { expect, test } from "vitest";
import { startAgents } from "#server/testing/agents.ts";
import { type Answered, unique } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { stopAtEnd } from "#server/testing/cleanup.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { deliver } from "#server/testing/inbound.ts";
import { startJobs } from "#server/testing/jobs.ts";
import { startPeer } from "#server/testing/peer.ts";
import { runWith } from "#server/testing/runs.ts";
import { invokeWorkflows, startStored } from "#server/testing/stored-workflows.ts";
import { createWallet, startSending } from "#server/testing/transactions.ts";
import { runsOf, setClock, startTriggers, triggersDo } from "#server/testing/triggers.ts";
import { startDelivering } from "#server/testing/webhooks.ts";
import { startDepositWatcher } from "#server/wallets/deposits/deposit-watcher.ts";
import { EXCHANGE, NIGHTLY_REPORT, ORDER, TRIAGE } from "./guides/automations.ts";

const SENDER = "0x5000000000000000000000000000000000000001";
const chain = await startTestChain();
await chain.fund(SENDER, { eth: "1000" });
const agents = await startAgents({ settings: { chains: [chain.settings] } });
const { api } = agents;
await startTriggers(api);
await startDelivering(api);
await startJobs(api);
await startSending(api);

const store = async (key: string, input: object) =>
  expect((await invokeWorkflows(api, key, "put", input)).status).toBe(200);

/** Waits until a trigger's only run has this status, and returns it. */
async function startedBy(key: string, triggerId: string, status: string): Promise<Answered["body"]> {
  await expect.poll(async () => (await runsOf(api, key, triggerId)).length).toBe(1);
  const [run] = await runsOf(api, key, triggerId);
  return runWith(api, key, run.id, status);
}

async function connect(key: string, host: string): Promise<string> {
  const terms = { provider: "shop", authType: "bearer", secret: "the shop's", allowedHosts: [host] };
  const { body } = await api.send("POST", "/v1/connections", { key, body: { label: "Shop", ...terms } });
  return body.connection.id;
}

test("writes the report of the night, at its time", async () => {
  const { key } = await createPayingKey(api, 1000);
  await store(key, NIGHTLY_REPORT.workflow);
  const { trigger } = await triggersDo(api, key, "put", NIGHTLY_REPORT.trigger);
  const at = new Date(trigger.nextAt);
  await setClock(api, at);
  const run = await startedBy(key, trigger.id, "succeeded");
  await setClock(api, 0);
  expect(run.scheduledAt).toBe(trigger.nextAt);
  const { artifacts } = (await api.send("GET", `/v1/artifacts?runId=${run.id}`, { key })).body;
  expect(artifacts).toMatchObject([{ name: `usage-${trigger.nextAt.slice(0, 10)}.json` }]);
  const content = await api.send("GET", `/v1/artifacts/${artifacts[0].id}/content`, { key });
  expect(String(content.body)).toContain("services.invoke");
});

test("has the warehouse call back, and refunds items that it does not pack", async () => {
  const { key } = await createPayingKey(api, 1000);
  const shop = await startPeer(() => ({ body: {} }));
  const input = { shop: shop.origin, amount: "12.50", connectionId: await connect(key, shop.host) };
  await store(key, ORDER.workflow);
  /** Creates an order, and responds as the warehouse; returns the requests that the shop has received for the order. */
  async function order(answer: object, status: string) {
    const name = unique("order");
    const { body } = await startStored(api, key, { name: "fulfil-order", input: { ...input, order: name } });
    const asked = () =>
      shop.received
        .map(({ path, body }) => ({ path, ...JSON.parse(body) }))
        .filter((one) => one.order === name);
    await expect.poll(asked).toHaveLength(2);
    const address = asked()[1].answerTo.replace("http://platform.test", api.origin);
    const headers = { "content-type": "application/json" };
    const answered = await fetch(address, { method: "POST", headers, body: JSON.stringify(answer) });
    expect(answered.status).toBe(200);
    await runWith(api, key, body.run.id, status);
    return asked();
  }
  expect((await order({ parcel: "1Z" }, "succeeded")).map(({ path }) => path)).toEqual([
    "/charges",
    "/parcels",
  ]);
  const [, , refund] = await order({ error: { message: "Out of stock." } }, "succeeded");
  expect(refund).toMatchObject({ path: "/refunds", why: expect.stringContaining("Out of stock.") });
});

test("swaps a wallet's deposits, and sends an event", async () => {
  const { key } = await createPayingKey(api, 1000);
  const peer = await startPeer(() => ({ body: {} }));
  const wallet = await createWallet(api, chain, key, { eth: "1" });
  await store(key, EXCHANGE.workflow);
  const { start } = EXCHANGE.trigger;
  const more = {
    into: chain.settings.contracts.usd,
    connectionId: await connect(key, peer.host),
    tell: `${peer.origin}/swaps`,
  };
  const { trigger } = await triggersDo(api, key, "put", {
    ...EXCHANGE.trigger,
    start: { ...start, input: { ...start.input, input: more } },
  });
  const watcher = stopAtEnd(startDepositWatcher(api.databaseUrl));
  const { client } = api.platform.database;
  await expect.poll(async () => (await client`select from chain_heads`).length).toBe(1);
  await chain.sendAs(SENDER, wallet.address, "0x", parseEther("0.5"));
  await startedBy(key, trigger.id, "succeeded");
  const [posted] = peer.received.map(({ body }) => JSON.parse(body));
  expect(posted).toMatchObject({ deposited: "0.5" });
  expect(Number(posted.received)).toBeGreaterThan(0);
  await watcher.stop();
});

test("asks a person before an agent remembers a delivery of GitHub's", async () => {
  const { key } = await createPayingKey(api, 10_000);
  const approver = await api.createChild(key, { label: "Approver" });
  agents.turns(
    {
      toolCalls: [
        { name: "services_invoke_managed-memory_put", arguments: { input: { content: "It is slow" } } },
      ],
    },
    { text: "It is new." },
  );
  const { trigger } = await triggersDo(api, key, "put", TRIAGE.trigger);
  const delivered = JSON.stringify({ action: "opened", issue: { title: "It is slow", body: "Very." } });
  const signature = createHmac("sha256", TRIAGE.trigger.on.webhook.secret).update(delivered).digest("hex");
  const headers = {
    "x-github-event": "issues",
    "x-github-delivery": randomUUID(),
    "x-hub-signature-256": `sha256=${signature}`,
  };
  for (const _ of [1, 2])
    expect((await deliver(api, trigger.on.webhook.address, delivered, headers)).status).toBe(202);
  const { id, payloadHash } = await agents.pendingApproval(key);
  expect(await agents.memoriesOf(key)).toEqual([]);
  const body = { decision: "approve", payloadHash };
  expect((await api.send("POST", `/v1/approvals/${id}`, { key: approver.key, body })).status).toBe(200);
  const run = await startedBy(key, trigger.id, "succeeded");
  expect(run.result.output).toBe("It is new.");
  expect(await agents.memoriesOf(key)).toEqual(["It is slow"]);
});
