import { once } from "node:events";
import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { startJobs } from "#server/testing/jobs.ts";
import { orderWith, placeOrder } from "#server/testing/trading.ts";
import {
  createWallet,
  startBetween,
  startSending,
  startTransactionWorker,
} from "#server/testing/transactions.ts";

const sandbox = await startTestChain();
const api = await startApi({ settings: { chains: [sandbox.settings] } });
const { key } = await createPayingKey(api, 1000);

/** The points at which a worker is killed: when it calls its node, or when the node has responded. */
const BOUNDARIES = [
  ["asked", "eth_call"],
  ["answered", "eth_sendRawTransaction"],
] as const;

test.each(BOUNDARIES)("trades an order once though its worker is killed when %s %s", async (when, at) => {
  const kill = (method: string) => {
    if (method !== at) return undefined;
    child.kill("SIGKILL");
    return "hang" as const;
  };
  const child = await startTransactionWorker(api, await startBetween(sandbox, { [when]: kill }), "both");
  const ended = once(child, "exit");
  const { id: walletId, address } = await createWallet(api, sandbox, key, { eth: "1", usd: "5000" });
  const placed = await placeOrder(api, key, { walletId, side: "buy", type: "market", quantity: "1" });
  expect(await ended).toEqual([null, "SIGKILL"]);

  const engine = await startSending(api);
  const worker = await startJobs(api);
  const { fills, filledQuantity, chargedCredits } = await orderWith(api, key, placed, "filled");
  expect([fills.length, filledQuantity, chargedCredits]).toEqual([1, "1", 5]);
  // The allowance and the trade.
  expect(await sandbox.client.getTransactionCount({ address })).toBe(2);
  const { body } = await api.send("GET", `/v1/trading/positions?walletId=${walletId}`, { key });
  expect(body.positions).toMatchObject([{ symbol: "ETH-USD", quantity: "1" }]);
  await worker.stop();
  await engine.stop();
});
