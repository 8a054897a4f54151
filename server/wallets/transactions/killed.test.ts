import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { Address } from "viem";
import { expect, test } from "vitest";
import { startApi, unique } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { startServer } from "#server/testing/server-process.ts";
import {
  createWallet,
  quote,
  send,
  startBetween,
  startSending,
  startTransactionWorker,
  transactionWith,
} from "#server/testing/transactions.ts";
import { untilAnswered } from "#server/testing/until-answered.ts";

const chain = await startTestChain();
const api = await startApi({ settings: { chains: [chain.settings] } });

/** The points at which a worker is killed: when it calls its node, or when the node has responded. */
const BOUNDARIES = [
  ["asked", "eth_getTransactionCount"],
  ["asked", "eth_getBalance"],
  ["asked", "eth_sendRawTransaction"],
  ["answered", "eth_sendRawTransaction"],
  ["asked", "eth_getTransactionReceipt"],
  ["answered", "eth_getTransactionReceipt"],
] as const;

/** Returns the chain as seen by a process that is killed at a boundary. */
function chainThatKills([when, at]: (typeof BOUNDARIES)[number], victim: () => ChildProcess) {
  const kill = (method: string) => {
    if (method !== at) return undefined;
    victim().kill("SIGKILL");
    return "hang" as const;
  };
  return startBetween(chain, { [when]: kill });
}

test("puts one transaction on the chain for each that was created, whatever boundary its worker is killed at", async () => {
  const { key } = await createPayingKey(api, 100);
  const sent = [];
  for (const boundary of BOUNDARIES) {
    const worker = await startTransactionWorker(api, await chainThatKills(boundary, () => worker));
    const ended = once(worker, "exit");
    const wallet = await createWallet(api, chain, key, { eth: "1" });
    sent.push({ address: wallet.address, ...(await send(api, key, wallet.id)) });
    expect(await ended).toEqual([null, "SIGKILL"]);
  }
  await expectOneEach(key, sent);
});

test("puts one transaction on the chain for each call, though the called process starts sending it and is killed", async () => {
  const { key } = await createPayingKey(api, 100);
  const sent = [];
  for (const boundary of BOUNDARIES) {
    const killing = JSON.stringify(await chainThatKills(boundary, () => server.child));
    const server = await startServer(api.databaseUrl, "--sends", "--chain", killing);
    const ended = once(server.child, "exit");
    const wallet = await createWallet(api, chain, key, { eth: "1" });
    const { id: quoteId } = await quote(api, key, wallet.id);
    const path = `/v1/wallets/${wallet.id}/transactions`;
    const idempotencyKey = unique("killed");
    const headers = {
      authorization: `Bearer ${key}`,
      "idempotency-key": idempotencyKey,
      "content-type": "application/json",
    };
    const called = fetch(`${server.origin}${path}`, {
      method: "POST",
      headers,
      body: JSON.stringify({ quoteId }),
    });
    await Promise.allSettled([called]);
    expect(await ended).toEqual([null, "SIGKILL"]);
    const call = { key, idempotencyKey, body: { quoteId } };
    const repeated = await untilAnswered(() => api.send("POST", path, call));
    expect(repeated.status).toBe(202);
    sent.push({ address: wallet.address, ...repeated.body.transaction });
  }
  await expectOneEach(key, sent);
});

async function expectOneEach(key: string, sent: { id: string; walletId: string; address: Address }[]) {
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
}

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
});
