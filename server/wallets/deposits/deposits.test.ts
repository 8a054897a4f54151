import { type Address, encodeFunctionData, parseEther, parseUnits } from "viem";
import { expect, onTestFinished, test } from "vitest";
import { uuidOf } from "#server/base/ids.ts";
import { erc20Abi, wrappedNativeAbi } from "#server/providers/chain/abi.ts";
import { startApi } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { eventsKept, listen } from "#server/testing/events.ts";
import { startDepositWatcher } from "./deposit-watcher.ts";

const chain = await startTestChain();
const { client } = chain;
const network = "eip155:31337";
const { usd, wrappedNative } = chain.settings.contracts;
const api = await startApi({
  settings: {
    chains: [
      {
        ...chain.settings,
        confirmations: 2,
        finality: 4,
        tokens: chain.settings.tokens.filter(({ symbol }) => symbol !== "GOLD"),
      },
    ],
  },
});
const sender = "0x5000000000000000000000000000000000000001";
const gold = chain.token("GOLD");
await chain.fund(sender, { eth: "1000", usd: "1000", token: { asset: gold, amount: "1" } });

/** Watches for deposits until the test ends, or until it is stopped. */
async function watch() {
  const watcher = startDepositWatcher(api.databaseUrl);
  const { client: sql } = api.platform.database;
  for (let known = false; !known; ) [{ known }] = await sql`select exists(select from chain_heads) as known`;
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= watcher.stop();
    return stopped;
  };
  onTestFinished(stop);
  return { stop };
}

async function createWallet() {
  const { key, accountId } = await api.createRootKey();
  await listen(api, accountId);
  const { wallet } = (await api.send("POST", "/v1/wallets", { key, body: { label: "Till" } })).body;
  const path = `/v1/wallets/${wallet.id}/transactions`;
  const list = async () => (await api.send("GET", path, { key })).body.transactions;
  return {
    address: wallet.address as Address,
    walletId: wallet.id,
    list,
    /** Waits until the wallet has this number of transactions with this status, and returns them. */
    async listed(
      count: number,
      status: string,
      until: (deposit: { finalizedAt: unknown }) => boolean = () => true,
    ) {
      for (;;) {
        const found = (await list()).filter(
          (one: { status: string; finalizedAt: unknown }) => one.status === status && until(one),
        );
        if (found.length >= count) return found;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    async events() {
      const kept = await eventsKept(api, accountId);
      return kept.filter(({ type }) => /deposit|transaction/.test(type)).map(({ type }) => type);
    },
  };
}

const transfer = (asset: Address, to: Address, units: bigint) => {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, units] });
  return chain.sendAs(sender, asset, data);
};

test("lists deposits, emits an event once they are confirmed, and follows them until they are final", async () => {
  await watch();
  const wallet = await createWallet();
  const sent = await chain.sendAs(sender, wallet.address, "0x", parseEther("1.5"));
  const [seen] = await wallet.listed(1, "broadcast");
  expect(seen).toMatchObject({
    walletId: wallet.walletId,
    direction: "in",
    network,
    from: sender,
    to: wallet.address,
    asset: "native",
    amount: "1.5",
    hash: sent.transactionHash,
    blockNumber: Number(sent.blockNumber),
    confirmations: 1,
    nonce: null,
    quoteId: null,
    feePaid: null,
    confirmedAt: null,
    chargedCredits: 0,
  });
  expect(await wallet.events()).toEqual([]);
  await chain.mine(1);
  const [confirmed] = await wallet.listed(1, "confirmed");
  expect(confirmed).toMatchObject({ id: seen.id, confirmations: 2, finalizedAt: null });
  await chain.mine(2);
  const [final] = await wallet.listed(1, "confirmed", ({ finalizedAt }) => finalizedAt !== null);
  expect(final).toMatchObject({ id: seen.id, confirmations: 4 });
  expect(await wallet.events()).toEqual(["wallet.deposit.confirmed"]);
});

test("sees tokens that the chain lists, and none that it doesn't", async () => {
  await watch();
  const wallet = await createWallet();
  await transfer(gold, wallet.address, 1n);
  const { transactionHash: hash } = await transfer(usd, wallet.address, parseUnits("12.34", 6));
  await chain.mine(1);
  expect(await wallet.listed(1, "confirmed")).toMatchObject([
    { asset: usd, amount: "12.34", from: sender, hash },
  ]);
  expect(await wallet.list()).toHaveLength(1);
});

test("does not count proceeds of the wallet's own transactions as deposits", async () => {
  await watch();
  const wallet = await createWallet();
  await chain.fund(wallet.address, { eth: "2" });
  const data = encodeFunctionData({ abi: wrappedNativeAbi, functionName: "deposit" });
  await chain.sendAs(wallet.address, wrappedNative, data, parseEther("1"));
  await transfer(usd, wallet.address, 1n);
  await chain.mine(1);
  await wallet.listed(1, "confirmed");
  expect(await wallet.list()).toMatchObject([{ asset: usd, amount: "0.000001" }]);
});

test("finds deposits from while nobody watched once, though two watch at once afterwards", async () => {
  const { stop } = await watch();
  await stop();
  const wallet = await createWallet();
  for (let count = 0; count < 25; count++) await transfer(usd, wallet.address, 1_000_000n);
  await chain.mine(3);
  await Promise.all([watch(), watch()]);
  await wallet.listed(25, "confirmed");
  expect(await wallet.list()).toHaveLength(25);
  expect(await wallet.events()).toEqual(Array(25).fill("wallet.deposit.confirmed"));
});

/** Sends USD from an account that signs itself, so that the same bytes can be sent again. */
async function sendSigned(to: Address, units: bigint) {
  const account = chain.accounts.treasury;
  await chain.fund(account.address, { eth: "1", usd: "1" });
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, units] });
  const request = await client.prepareTransactionRequest({ account, chain: null, to: usd, data });
  const serializedTransaction = await account.signTransaction({ ...request, chainId: 31337 } as never);
  const send = () => client.sendRawTransaction({ serializedTransaction });
  return { hash: await send(), send };
}

const { reorganise } = chain;

test("revokes a deposit that a reorganisation removes, and recognises it when it returns", async () => {
  await watch();
  const wallet = await createWallet();
  const { hash, send } = await sendSigned(wallet.address, 5n);
  await chain.mine(1);
  const [before] = await wallet.listed(1, "confirmed");
  await reorganise(2);
  const [taken] = await wallet.listed(1, "broadcast");
  expect(taken).toMatchObject({
    id: before.id,
    hash,
    blockNumber: null,
    confirmations: 0,
    confirmedAt: null,
  });
  expect(await send()).toBe(hash);
  await chain.mine(1);
  const [again] = await wallet.listed(1, "confirmed");
  expect(again).toMatchObject({ id: before.id, hash, confirmations: 2 });
  expect(await wallet.list()).toHaveLength(1);
  expect(await wallet.events()).toEqual([
    "wallet.deposit.confirmed",
    "wallet.transaction.broadcast",
    "wallet.deposit.confirmed",
  ]);
});

test("gives up a deposit that does not return within an hour", async () => {
  await watch();
  const wallet = await createWallet();
  await sendSigned(wallet.address, 5n);
  await chain.mine(1);
  await wallet.listed(1, "confirmed");
  await reorganise(2);
  await wallet.listed(1, "broadcast");
  await api.platform.database.client`
    update wallet_transactions set expires_at = expires_at - interval '1 hour' where wallet_id = ${uuidOf("wallet", wallet.walletId)}`;
  await chain.mine(1);
  expect(await wallet.listed(1, "failed")).toMatchObject([
    { failure: { code: "reorganised", message: expect.stringContaining("within an hour") } },
  ]);
});

test("continues after the node was killed, with a chain that has lost its newest blocks", async () => {
  await watch();
  const wallet = await createWallet();
  await transfer(usd, wallet.address, 7n);
  await chain.mine(1);
  await wallet.listed(1, "confirmed");
  await chain.save();
  await transfer(usd, wallet.address, 8n);
  await chain.mine(1);
  await wallet.listed(2, "confirmed");
  await chain.kill();
  await chain.start();
  // The chain grows beyond the observed height, with other blocks.
  await chain.mine(5);
  expect(await wallet.listed(1, "broadcast")).toMatchObject([{ amount: "0.000008", blockNumber: null }]);
  await transfer(usd, wallet.address, 9n);
  await chain.mine(1);
  expect(await wallet.listed(2, "confirmed")).toMatchObject([{ amount: "0.000009" }, { amount: "0.000007" }]);
});
