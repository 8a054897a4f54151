import { formatEther, parseEther } from "viem";
import { afterAll, expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { refreshPrices } from "#server/prices/queries.ts";
import { startApi } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { startPeer } from "#server/testing/peer.ts";
import { createWallet, quote, send, startSending, transactionWith } from "#server/testing/transactions.ts";

const sandbox = await startTestChain();
/** What the node adds to each receipt, as those of the OP Stack do. */
let added: object = {};
interface Call {
  id: number;
  method: string;
}
interface Response {
  id: number;
  result: unknown;
}
const node = await startPeer(async ({ body }) => {
  const calls: Call[] = [JSON.parse(body)].flat();
  const receipts = calls.flatMap(({ id, method }) => (method === "eth_getTransactionReceipt" ? id : []));
  const headers = { "content-type": "application/json" };
  const answer = await fetch(sandbox.settings.rpcUrl, { method: "POST", headers, body });
  const responses: Response | Response[] = await answer.json();
  for (const response of [responses].flat())
    if (receipts.includes(response.id) && response.result) Object.assign(response.result, added);
  return { status: answer.status, body: responses };
});
const api = await startApi({ settings: { chains: [{ ...sandbox.settings, rpcUrl: node.origin }] } });
const engine = await startSending(api);
afterAll(engine.stop);
const { key } = await createPayingKey(api, 1000);
await refreshPrices(api.platform.database.db, defined(api.platform.chains.all[0]));

/** Sends from a new wallet; returns the paid fee, that for gas, and the day's fees in the native asset by the policy. */
async function sendOnce() {
  const wallet = await createWallet(api, sandbox, key, { eth: "1" });
  const sent = await transactionWith(api, key, await send(api, key, wallet.id), "confirmed");
  const { gasUsed, effectiveGasPrice } = await sandbox.client.getTransactionReceipt({ hash: sent.hash });
  const body = { ifVersion: 1, dailyNetworkFeeUsd: "0.000001" };
  await api.mustSend(200, "PATCH", `/v1/wallets/${wallet.id}/policy`, { key, body });
  const { policy, fees } = await quote(api, key, wallet.id);
  const [, usedUsd] = /of which ([\d.]+) USD is spent/.exec(policy.reasons.join(" ")) ?? [];
  const used = (Number(usedUsd) / Number(fees[0].valueUsd)) * Number(fees[0].amount);
  return { paid: sent.feePaid, forGas: gasUsed * effectiveGasPrice, used };
}

test("settles and counts the fee for gas and that for the data on the layer below", async () => {
  added = { l1Fee: "0x2386f26fc10000", l1GasUsed: "0x640", l1GasPrice: "0x1" };
  const { paid, forGas, used } = await sendOnce();
  expect(paid).toBe(formatEther(forGas + parseEther("0.01")));
  expect(used).toBeCloseTo(Number(paid), 6);
});

test.for([null, 5, "", "12", "-0x1", "0xzz", `0x${"f".repeat(64)}`])(
  "settles the fee for gas beside an l1Fee of %o",
  async (l1Fee) => {
    added = { l1Fee };
    const { paid, forGas } = await sendOnce();
    expect(paid).toBe(formatEther(forGas));
  },
);
