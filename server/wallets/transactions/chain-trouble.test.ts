import { sql } from "drizzle-orm";
import { type Address, type Hex, parseEther, parseGwei } from "viem";
import { afterAll, expect, test } from "vitest";
import { uuidOf } from "#server/base/ids.ts";
import { startApi } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import {
  createWallet,
  PLAIN,
  quote,
  send,
  startSending,
  transactionWith,
} from "#server/testing/transactions.ts";

type DropAll = { Method: "anvil_dropAllTransactions"; Parameters: []; ReturnType: null };
type Deal = { Method: "anvil_dealERC20"; Parameters: [Address, Address, Hex]; ReturnType: null };

const chain = await startTestChain();
const api = await startApi({ settings: { chains: [chain.settings] } });
const PATIENCE = { stuckAfterMs: 500 };
let engine = await startSending(api, PATIENCE);
afterAll(() => engine.stop());
const { client } = chain;
const { db } = api.platform.database;
const { key } = await createPayingKey(api, 10_000);

/** Returns how many transactions of an address the chain has mined. */
const countOf = (address: Hex) => client.getTransactionCount({ address });

/** Sends transactions that the node accepts but does not mine, stops the engine, and makes the node forget them. */
async function sendForgotten(walletId: string, count: number) {
  await client.setAutomine(false);
  const sent = [];
  for (let nth = 0; nth < count; nth++)
    sent.push(await transactionWith(api, key, await send(api, key, walletId), "broadcast"));
  await engine.stop();
  await client.request<DropAll>({ method: "anvil_dropAllTransactions", params: [] });
  await client.setAutomine(true);
  return sent;
}

test("raises the fees of a transaction that the chain passes over, under the same nonce", async () => {
  const wallet = await createWallet(api, chain, key, { eth: "10" });
  await client.setAutomine(false);
  const { id } = await send(api, key, wallet.id);
  const first = await transactionWith(api, key, { id, walletId: wallet.id }, "broadcast");
  // Beyond the offered maximum fee.
  await client.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei("50") });
  await client.mine({ blocks: 1 });
  await client.setAutomine(true);
  const mined = await transactionWith(api, key, first, "confirmed");
  expect(mined).toMatchObject({ nonce: first.nonce, blockNumber: expect.any(Number) });
  expect(mined.attempts).toBeGreaterThan(1);
  expect(mined.hash).not.toBe(first.hash);
  expect(await countOf(wallet.address)).toBe(1);
  expect((await client.getTransactionReceipt({ hash: mined.hash })).status).toBe("success");
});

test("resends a transaction that a reorganisation has removed, with the same bytes", async () => {
  const wallet = await createWallet(api, chain, key, { eth: "1" });
  const sent = await transactionWith(api, key, await send(api, key, wallet.id), "confirmed");
  const { blockHash } = await client.getTransactionReceipt({ hash: sent.hash });
  await chain.reorganise(1);
  const again = await transactionWith(api, key, sent, "confirmed", ({ endedAt }) => endedAt !== sent.endedAt);
  expect(again).toMatchObject({ hash: sent.hash, nonce: 0, attempts: 1 });
  const receipt = await client.getTransactionReceipt({ hash: sent.hash });
  expect(receipt.blockHash).not.toBe(blockHash);
  expect(await countOf(wallet.address)).toBe(1);
});

test("waits with a call whose funds a reorganisation has removed, until they are in a block again", async () => {
  const { wrappedNative } = chain.settings.contracts;
  const wallet = await createWallet(api, chain, key, { eth: "1" });
  const wrap = { ...PLAIN, to: wrappedNative, amount: "0.5", data: "0xd0e30db0" };
  const wrapped = await transactionWith(api, key, await send(api, key, wallet.id, wrap), "confirmed");
  await engine.stop();
  const next = await send(api, key, wallet.id, { ...PLAIN, asset: wrappedNative, amount: "0.5" });
  await chain.reorganise(1);
  engine = await startSending(api, PATIENCE);
  expect(await transactionWith(api, key, next, "confirmed")).toMatchObject({ nonce: 1, failure: null });
  expect(await transactionWith(api, key, wrapped, "confirmed")).toMatchObject({ nonce: 0 });
});

test("counts a failed transaction against the day's limit again once it succeeds after a reorganisation", async () => {
  const { usd } = chain.settings.contracts;
  const policy = { dailyLimitUsd: "10" };
  const wallet = await createWallet(api, chain, key, { eth: "1", usd: "20", policy });
  const hold = (units: Hex) =>
    client.request<Deal>({ method: "anvil_dealERC20", params: [wallet.address, usd, units] });
  await client.setAutomine(false);
  const { id } = await send(api, key, wallet.id, { ...PLAIN, asset: usd, amount: "6" });
  await transactionWith(api, key, { id, walletId: wallet.id }, "broadcast");
  await hold("0x0");
  await client.mine({ blocks: 1 });
  const failed = await transactionWith(api, key, { id, walletId: wallet.id }, "failed");
  expect(failed.failure.code).toBe("reverted");
  await chain.reorganise(1, { automine: false });
  await transactionWith(api, key, failed, "broadcast");
  await hold("0x1312d00");
  await client.mine({ blocks: 1 });
  await client.setAutomine(true);
  await transactionWith(api, key, failed, "confirmed");
  const again = await quote(api, key, wallet.id, { ...PLAIN, asset: usd, amount: "6" });
  expect(again.policy).toMatchObject({
    decision: "deny",
    reasons: [expect.stringContaining("of which 6 USD is spent")],
  });
});

test("fills an unused nonce, so that the transactions behind it are mined", async () => {
  const wallet = await createWallet(api, chain, key, { eth: "1" });
  const [lost, behind] = await sendForgotten(wallet.id, 2);
  // As after restoring the database.
  await db.execute(sql`delete from wallet_transactions where id = ${uuidOf("transaction", lost.id)}`);
  engine = await startSending(api, PATIENCE);
  expect(await transactionWith(api, key, behind, "confirmed")).toMatchObject({ nonce: 1 });
  const { body } = await api.send("GET", `/v1/wallets/${wallet.id}/transactions`, { key });
  const [filler] = body.transactions;
  expect(filler).toMatchObject({
    nonce: 0,
    amount: "0",
    to: wallet.address,
    quoteId: null,
    chargedCredits: 0,
  });
  expect(await countOf(wallet.address)).toBe(2);
});

test("fills an unused nonce also if a waiting transaction cannot be executed before those behind it", async () => {
  const { usd } = chain.settings.contracts;
  const wallet = await createWallet(api, chain, key, { eth: "1", usd: "5" });
  const [lost, behind] = await sendForgotten(wallet.id, 2);
  // As after restoring the database.
  await db.execute(sql`delete from wallet_transactions where id = ${uuidOf("transaction", lost.id)}`);
  const waiting = await send(api, key, wallet.id, { ...PLAIN, asset: usd, amount: "5" });
  await client.request<Deal>({ method: "anvil_dealERC20", params: [wallet.address, usd, "0x0"] });
  engine = await startSending(api, PATIENCE);
  expect(await transactionWith(api, key, behind, "confirmed")).toMatchObject({ nonce: 1 });
  expect((await transactionWith(api, key, waiting, "failed")).failure.code).toBe("insufficient_funds");
  expect(await countOf(wallet.address)).toBe(2);
});

test("fails a transaction whose nonce another one has used, once that is final", async () => {
  const wallet = await createWallet(api, chain, key, { eth: "1" });
  const [sent] = await sendForgotten(wallet.id, 1);
  await client.setNonce({ address: wallet.address, nonce: 1 });
  await client.mine({ blocks: 4 });
  engine = await startSending(api, PATIENCE);
  expect((await transactionWith(api, key, sent, "failed")).failure.code).toBe("nonce_taken");
  const next = await transactionWith(api, key, await send(api, key, wallet.id), "confirmed");
  expect(next.nonce).toBe(1);
});

test("mines everything once though the chain is killed under load and starts again from an older state", async () => {
  const wallets = await Promise.all([1, 2].map(() => createWallet(api, chain, key, { eth: "1" })));
  const to = (await createWallet(api, chain, key, { eth: "0" })).address;
  const body = { ...PLAIN, to };
  const early = await Promise.all(wallets.map(({ id }) => send(api, key, id, body)));
  await Promise.all(early.map((one) => transactionWith(api, key, one, "confirmed")));
  await chain.save();
  const later = await Promise.all(wallets.flatMap(({ id }) => [1, 2, 3].map(() => send(api, key, id, body))));
  await transactionWith(api, key, later[0], "confirmed");
  await chain.kill();
  await chain.start();
  const sends = [...early, ...later];
  await expect.poll(() => client.getBalance({ address: to })).toBe(parseEther("0.01") * BigInt(sends.length));
  for (const one of sends) await transactionWith(api, key, one, "confirmed");
  for (const { address } of wallets) expect(await countOf(address)).toBe(4);
});
