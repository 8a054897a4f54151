import { parseGwei } from "viem";
import { afterAll, expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { createWallet, quote, send, startSending, transactionWith } from "#server/testing/transactions.ts";

const sandbox = await startTestChain();
const api = await startApi({ settings: { chains: [{ ...sandbox.settings, maxGasPriceGwei: 20 }] } });
const engine = await startSending(api);
afterAll(engine.stop);

test("offers no more per gas than the chain's settings allow, whatever its node suggests", async () => {
  const { key } = await createPayingKey(api, 1000);
  const wallet = await createWallet(api, sandbox, key, { eth: "10" });
  await sandbox.client.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei("15") });
  await sandbox.mine();
  const { fees } = await quote(api, key, wallet.id);
  expect(fees[0]).toMatchObject({ type: "network", amount: "0.00042" });
  const sent = await send(api, key, wallet.id);
  const { hash } = await transactionWith(api, key, sent, "confirmed");
  const { maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = await sandbox.client.getTransaction({ hash });
  expect(maxFeePerGas).toBe(parseGwei("20"));
  expect(maxPriorityFeePerGas <= maxFeePerGas).toBe(true);
});
