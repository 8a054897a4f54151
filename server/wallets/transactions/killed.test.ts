import { once } from "node:events";
import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import {
  createWallet,
  send,
  startBetween,
  startSending,
  startTransactionWorker,
  transactionWith,
} from "#server/testing/transactions.ts";

const chain = await startTestChain();
const api = await startApi({ settings: { chains: [chain.settings] } });

/** Where a worker dies: as it asks its node for something, or as the node has answered. */
const BOUNDARIES = [
  ["asked", "eth_getTransactionCount"],
  ["asked", "eth_getBalance"],
  ["asked", "eth_sendRawTransaction"],
  ["answered", "eth_sendRawTransaction"],
  ["asked", "eth_getTransactionReceipt"],
  ["answered", "eth_getTransactionReceipt"],
] as const;

test("puts one transaction on the chain for each that was created, whatever boundary its worker is killed at", async () => {
  const { key } = await createPayingKey(api, 100);
  const sent = [];
  for (const [when, at] of BOUNDARIES) {
    const kill = (method: string) => {
      if (method !== at) return undefined;
      worker.kill("SIGKILL");
      return "hang" as const;
    };
    const worker = await startTransactionWorker(api, await startBetween(chain, { [when]: kill }));
    const ended = once(worker, "exit");
    const wallet = await createWallet(api, chain, key, { eth: "1" });
    sent.push({ address: wallet.address, ...(await send(api, key, wallet.id)) });
    expect(await ended).toEqual([null, "SIGKILL"]);
  }
  const engine = await startSending(api);
  for (const one of sent) {
    const { hash, attempts } = await transactionWith(api, key, one, "confirmed");
    expect((await chain.client.getTransactionReceipt({ hash })).status).toBe("success");
    expect(await chain.client.getTransactionCount({ address: one.address })).toBe(1);
    expect(attempts).toBe(1);
  }
  const { balance } = (await api.send("GET", "/v1/credits/balance", { key })).body;
  expect(balance).toMatchObject({ availableCredits: 100 - 5 * BOUNDARIES.length, reservedCredits: 0 });
  await engine.stop();
}, 300_000);

test("gives each transaction a nonce of its own where two processes send for the same wallets", async () => {
  const { key } = await createPayingKey(api, 1000);
  const worker = await startTransactionWorker(api, chain.settings);
  const engine = await startSending(api);
  const wallets = await Promise.all([1, 2, 3].map(() => createWallet(api, chain, key, { eth: "1" })));
  const sends = await Promise.all(
    wallets.flatMap(({ id }) => Array.from({ length: 8 }, () => send(api, key, id))),
  );
  const ended = await Promise.all(sends.map((one) => transactionWith(api, key, one, "confirmed")));
  for (const { id, address } of wallets) {
    const nonces = ended.filter(({ walletId }) => walletId === id).map(({ nonce }) => nonce);
    expect(nonces.sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(await chain.client.getTransactionCount({ address })).toBe(8);
  }
  await engine.stop();
  worker.kill("SIGKILL");
}, 180_000);
