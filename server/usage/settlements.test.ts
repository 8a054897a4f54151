import { afterAll, expect, test } from "vitest";
import { createPayingKey } from "#server/testing/credits.ts";
import { createRun, runWith, startRuns } from "#server/testing/runs.ts";
import { startSwaps, swap } from "#server/testing/swaps.ts";
import { orderWith, placeOrder } from "#server/testing/trading.ts";
import { createWallet, PLAIN, send, startSending, transactionWith } from "#server/testing/transactions.ts";

const { origin, api, readUntil } = await startSwaps();
const engine = await startSending(api);
const runs = await startRuns(api);
afterAll(() => Promise.all([engine.stop(), runs.stop()]));
const network = "eip155:31337";

test("usage and audit hold the charges of sends, swaps and orders after their response, and count no request for them", async () => {
  const { key, apiKey } = await createPayingKey(api, 1000);
  const wallet = await createWallet(api, origin, key, { eth: "10", usd: "10000" });
  const sent = await transactionWith(api, key, await send(api, key, wallet.id), "confirmed");
  const from = { network, asset: "native", amount: "0.1" };
  const swapped = await swap(api, key, wallet.id, { from, to: { network, asset: origin.token("USD") } });
  await readUntil(key, `/v1/swaps/${swapped.id}`, "completed");
  const terms = { walletId: wallet.id, side: "buy", type: "market", quantity: "1" };
  const order = await orderWith(api, key, await placeOrder(api, key, terms), "filled");

  const { entries } = (await api.send("GET", "/v1/credits/ledger?kind=usage", { key })).body;
  const charged = entries.reduce((sum: number, { amount }: { amount: number }) => sum - amount, 0);
  expect(charged).toBeGreaterThan(0);
  const usage = async (group: string) =>
    (await api.send("GET", `/v1/usage?groupBy=${group}`, { key })).body.usage;
  const { totals, groups } = await usage("operation");
  expect(totals.chargedCredits).toBe(charged);
  const ofOperation = (operation: string) => groups.find((group: { key: string }) => group.key === operation);
  for (const operation of ["wallets.transactions.settle", "swaps.settle", "trading.orders.settle"])
    expect(ofOperation(operation)).toMatchObject({ requests: 0, chargedCredits: 5, p50Ms: null });
  const byService = await usage("service");
  const services = byService.groups.map((group: { key: string }) => group.key);
  expect(services.toSorted()).toEqual([
    "managed-trading",
    "managed-wallets",
    "platform-api",
    "universal-swaps",
  ]);

  const { auditEvents } = (await api.send("GET", "/v1/audit-events?limit=100", { key })).body;
  const settled = auditEvents.filter(({ operation }: { operation: string }) => operation.endsWith(".settle"));
  expect(settled.map(({ resource }: { resource: string }) => resource).toSorted()).toEqual(
    [sent.id, swapped.id, order.id].toSorted(),
  );
  const actor = { type: "key", id: apiKey.id, label: apiKey.label };
  for (const event of settled) expect(event).toMatchObject({ actor, outcome: "allowed", chargedCredits: 5 });
});

test("a run's charge includes the later charge of its step's send, once", async () => {
  const { key } = await createPayingKey(api, 1000);
  const wallet = await createWallet(api, origin, key, { eth: "10" });
  const params = { walletId: wallet.id };
  const steps = [
    { id: "price", type: "operation", operation: "wallets.transactions.quote", params, body: PLAIN },
    {
      id: "send",
      type: "operation",
      operation: "wallets.transactions.create",
      params,
      body: { quoteId: "{% steps.price.quote.id %}" },
    },
  ];
  const input = { workflow: { name: "Pay", steps, output: "{% steps.send.transaction.id %}" } };
  const body = { serviceId: "managed-workflows", operationId: "execute", input };
  const made = await createRun(api, key, body);
  const run = await runWith(api, key, made.body.run.id, "succeeded");
  await transactionWith(api, key, { id: run.result.output, walletId: wallet.id }, "confirmed");
  const { entries } = (await api.send("GET", "/v1/credits/ledger?kind=usage", { key })).body;
  const charged = entries.reduce((sum: number, { amount }: { amount: number }) => sum - amount, 0);
  const read = (await api.send("GET", `/v1/runs/${run.id}`, { key })).body.run;
  expect(read.chargedCredits).toBe(charged);
});
