import { afterAll, expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { startJobs } from "#server/testing/jobs.ts";
import { orderWith, placeQuote, quoteOrder } from "#server/testing/trading.ts";
import { createWallet, startBetween, startSending } from "#server/testing/transactions.ts";

const REVERTED = { body: { jsonrpc: "2.0", id: 1, error: { code: 3, message: "execution reverted: STF" } } };
const NO_RECEIPT = { body: { jsonrpc: "2.0", id: 1, result: null } };

let lagging = false;
let refused = 0;
const chain = await startTestChain();
const between = await startBetween(chain, {
  asked(method) {
    if (!lagging || method !== "eth_call") return;
    refused += 1;
    if (refused > 3) lagging = false;
    return REVERTED;
  },
  answered(method) {
    if (method === "eth_sendRawTransaction" && refused === 0) lagging = true;
    return lagging && method === "eth_getTransactionReceipt" ? NO_RECEIPT : undefined;
  },
});
const api = await startApi({ settings: { chains: [between] } });
const engine = await startSending(api);
afterAll(engine.stop);
const worker = await startJobs(api);
afterAll(worker.stop);

test("a trade waits for its allowance where a node counts that before its calls see it", async () => {
  const { key } = await createPayingKey(api, 100);
  const wallet = await createWallet(api, chain, key, { eth: "1", usd: "10000" });
  const terms = { walletId: wallet.id, side: "buy", type: "market", quantity: "1" };
  const quote = await quoteOrder(api, key, terms);
  const { body } = await placeQuote(api, key, { quoteId: quote.id });
  const order = await orderWith(api, key, body.order, "filled");
  expect(refused).toBeGreaterThan(3);
  expect(order.fills).toHaveLength(1);
});
