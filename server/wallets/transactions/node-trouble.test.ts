import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import type { PeerAnswer } from "#server/testing/peer.ts";
import {
  createWallet,
  execute,
  PLAIN,
  quote,
  send,
  startBetween,
  startSending,
  transactionWith,
} from "#server/testing/transactions.ts";

type DropAll = { Method: "anvil_dropAllTransactions"; Parameters: []; ReturnType: null };

const chain = await startTestChain();
const LIE = { body: { jsonrpc: "2.0", id: 1, result: "0x1" } };
const BUSY = { status: 429, headers: { "retry-after": "7" } };
// From the start, because a node's chain id is cached for a while.
let trouble: PeerAnswer | "hang" | undefined = LIE;
/** True if the node keeps only the state of its newest block. */
let forgetful = false;
const FORGOTTEN = { body: { jsonrpc: "2.0", id: 1, error: { code: -32000, message: "missing trie node" } } };
/** The errors that the node answers to a method, one after the other. */
const troubles: Record<string, object[]> = {};
/** True if the node rejects transactions; how many it has rejected. */
let rejecting = false;
let rejected = 0;
const REJECTED = {
  body: { jsonrpc: "2.0", id: 1, error: { code: -32000, message: `rejected: 0x${"00".repeat(5000)}` } },
};
/** Requests of the newest block wait for it. */
let newestBlock: Promise<undefined> | undefined;
let waiting = 0;
const between = await startBetween(chain, {
  asked(method, [first, block]) {
    if (forgetful && method === "eth_getTransactionCount" && String(block).startsWith("0x")) return FORGOTTEN;
    const error = troubles[method]?.shift();
    if (error) return { body: { jsonrpc: "2.0", id: 1, error } };
    if (rejecting && method === "eth_sendRawTransaction") {
      rejected += 1;
      return REJECTED;
    }
    if (!newestBlock || method !== "eth_getBlockByNumber" || first !== "latest") return trouble;
    waiting += 1;
    return newestBlock;
  },
});
const api = await startApi({ settings: { chains: [between] } });
const PATIENCE = { stuckAfterMs: 500 };
let engine = await startSending(api, PATIENCE);
afterAll(() => engine.stop());

test("answers 503 naming CHAINS while the node is wrong, hangs or limits calls, and sends once it recovers", async () => {
  const { key } = await createPayingKey(api, 100);
  const wallet = await createWallet(api, chain, key, { eth: "1" });
  const path = `/v1/wallets/${wallet.id}/transactions/quote`;
  for (const [fault, expected] of [
    [LIE, "eip155:1"],
    [BUSY, "429"],
    ["hang", "in time"],
  ] as const) {
    trouble = fault;
    const { body } = await api.send("POST", path, { key, body: PLAIN });
    expect(body.error).toMatchObject({ status: 503, code: "service_unavailable", retryable: true });
    expect(body.error.message).toMatch(new RegExp(`CHAINS.*${expected}`));
  }
  trouble = undefined;
  const { id: quoteId } = await quote(api, key, wallet.id);
  trouble = BUSY;
  const created = await execute(api, key, wallet.id, { quoteId });
  expect(created.status).toBe(202);
  const waiting = await transactionWith(api, key, created.body.transaction, "reserved");
  expect(waiting.hash).toBeNull();
  trouble = undefined;
  await transactionWith(api, key, waiting, "confirmed");
  expect(await chain.client.getTransactionCount({ address: wallet.address })).toBe(1);
});

test("fails no call that the node can't try at present", async () => {
  const { key } = await createPayingKey(api, 100);
  const wallet = await createWallet(api, chain, key, { eth: "1" });
  const body = { ...PLAIN, data: "0x12345678" };
  const inTrouble = () => [
    { code: -32603, message: "Internal error" },
    { code: -32000, message: "missing trie node 0123 (path )" },
  ];
  troubles.eth_estimateGas = inTrouble();
  const path = `/v1/wallets/${wallet.id}/transactions/quote`;
  while (troubles.eth_estimateGas.length > 0) {
    const { error } = (await api.send("POST", path, { key, body })).body;
    expect(error).toMatchObject({ code: "service_unavailable", message: expect.stringContaining("CHAINS") });
  }
  const { id: quoteId } = await quote(api, key, wallet.id, body);
  const refused = { code: 3, message: "execution reverted" };
  troubles.eth_call = inTrouble();
  const { transaction } = (await execute(api, key, wallet.id, { quoteId })).body;
  await transactionWith(api, key, transaction, "confirmed");
  expect(troubles.eth_call).toEqual([]);

  const second = await quote(api, key, wallet.id, body);
  troubles.eth_call = [...inTrouble(), refused];
  const created = await execute(api, key, wallet.id, { quoteId: second.id });
  const { failure } = await transactionWith(api, key, created.body.transaction, "failed");
  expect(failure.code).toBe("reverted");
});

test("fails a transaction that can never be mined, and sends later ones, with a node that keeps no old state", async () => {
  const { key } = await createPayingKey(api, 100);
  const { client } = chain;
  const wallet = await createWallet(api, chain, key, { eth: "1" });
  await client.setAutomine(false);
  const lost = await transactionWith(api, key, await send(api, key, wallet.id), "broadcast");
  await engine.stop();
  await client.request<DropAll>({ method: "anvil_dropAllTransactions", params: [] });
  await client.setAutomine(true);
  await client.setNonce({ address: wallet.address, nonce: 1 });
  forgetful = true;
  engine = await startSending(api, PATIENCE);
  const next = await send(api, key, wallet.id);
  const mining = setInterval(() => void client.mine({ blocks: 1 }).catch(() => undefined), 200);
  onTestFinished(() => clearInterval(mining));
  expect((await transactionWith(api, key, lost, "failed")).failure.code).toBe("nonce_taken");
  await transactionWith(api, key, next, "confirmed");
});

test("resends a transaction that a reorganisation has removed though the other branch has a newer one", async () => {
  const { key } = await createPayingKey(api, 100);
  const { client } = chain;
  const [first, second] = [await createWallet(api, chain, key), await createWallet(api, chain, key)];
  await engine.stop();
  engine = await startSending(api);
  const removed = await transactionWith(api, key, await send(api, key, first.id), "confirmed");
  await client.setAutomine(false);
  const newer = await transactionWith(api, key, await send(api, key, second.id), "broadcast");
  const held = Promise.withResolvers<undefined>();
  newestBlock = held.promise;
  // The engine does not see the reorganisation before it has recorded the newer transaction.
  await expect.poll(() => waiting).toBeGreaterThan(0);
  await chain.reorganise(1);
  await client.mine({ blocks: 1 });
  await transactionWith(api, key, newer, "confirmed");
  newestBlock = undefined;
  held.resolve(undefined);
  const again = await transactionWith(
    api,
    key,
    removed,
    "confirmed",
    ({ endedAt }) => endedAt !== removed.endedAt,
  );
  expect(again).toMatchObject({ hash: removed.hash, attempts: 1 });
  expect(await client.getTransactionCount({ address: first.address })).toBe(1);
});

test("logs one line of less than 1 KB about a transaction that the node rejects again and again", async () => {
  const write = vi.spyOn(process.stderr, "write");
  onTestFinished(() => write.mockRestore());
  const { key } = await createPayingKey(api, 100);
  const wallet = await createWallet(api, chain, key, { eth: "1" });
  rejecting = true;
  const sent = await send(api, key, wallet.id);
  await expect.poll(() => rejected).toBeGreaterThan(3);
  rejecting = false;
  await transactionWith(api, key, sent, "confirmed");
  const lines = write.mock.calls.map(([line]) => String(line)).filter((line) => line.includes(sent.id));
  expect(lines).toHaveLength(1);
  expect(Buffer.byteLength(String(lines[0]))).toBeLessThan(1024);
});
