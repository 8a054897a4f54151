import { fileURLToPath } from "node:url";
import { type Address, encodeFunctionData, parseUnits } from "viem";
import { afterAll, expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import type { Token } from "#server/providers/chain/chains.ts";
import { compileContracts } from "#server/providers/chain/sandbox/compile-contracts.ts";
import { startApi } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { startJobs } from "#server/testing/jobs.ts";
import { deploy, type Part, startPoolOwner } from "#server/testing/pools.ts";
import { balanceOf, swap } from "#server/testing/swaps.ts";
import { orderWith, placeOrder } from "#server/testing/trading.ts";
import {
  createWallet,
  RECIPIENT,
  send,
  startSending,
  transactionWith,
} from "#server/testing/transactions.ts";

const chain = await startTestChain();
const FEE = 3000;
const DEPTH = parseUnits("1000000", 6);

/** Deploys a token as non-standard as USDT, with a pool in which a million of it trade for a million USD. */
async function deployNonStandardToken() {
  const { NonStandardToken } = await compileContracts(
    fileURLToPath(new URL("../testing/contracts", import.meta.url)),
    ["NonStandardToken"],
  );
  const owner = chain.accounts.faucet.address;
  const asset = await deploy(chain, owner, NonStandardToken);
  const call = (functionName: string, ...args: unknown[]) =>
    chain.sendAs(owner, asset, encodeFunctionData({ abi: NonStandardToken.abi, functionName, args }));
  await call("mint", owner, DEPTH);
  await chain.fund(owner, { usd: "1000000" });
  const pools = await startPoolOwner(chain, owner);
  const even = [asset, chain.settings.contracts.usd].map((token) => ({ asset: token, units: DEPTH }));
  await pools.open(FEE, even as [Part, Part]);
  await pools.add(FEE, even as [Part, Part]);
  return {
    token: { asset, symbol: "ODD", name: "Odd", decimals: 6 } satisfies Token,
    mint: (to: Address, amount: string) => call("mint", to, parseUnits(amount, 6)),
    /** Makes the token keep a fee of each transfer, in hundredths of a percent. */
    setFee: (bps: bigint) => call("setFee", bps),
  };
}

const odd = await deployNonStandardToken();
const { asset } = odd.token;
const tokens = [...chain.settings.tokens, odd.token];
const api = await startApi({ settings: { chains: [{ ...chain.settings, tokens }] } });
const engine = await startSending(api);
afterAll(() => engine.stop());
const worker = await startJobs(api);
afterAll(worker.stop);
const network = "eip155:31337";
const usd = chain.token("USD");
const router = defined(chain.settings.contracts.venue?.router);
const { key } = await createPayingKey(api, 1000);

/** A wallet with 1,000 USD and 1,000 ODD, of which the router may take a little already. */
async function createOddWallet() {
  const wallet = await createWallet(api, chain, key, { eth: "1", usd: "1000" });
  await odd.mint(wallet.address, "1000");
  await chain.approve(wallet.address, asset, router, 1n);
  return wallet;
}

async function completed({ id }: { id: string }) {
  const read = async () => (await api.send("GET", `/v1/swaps/${id}`, { key })).body.swap;
  await expect.poll(async () => (await read()).endedAt).not.toBeNull();
  const found = await read();
  expect(found).toMatchObject({ status: "completed", failure: null });
  return found;
}

test("sends a token that answers nothing", async () => {
  const wallet = await createOddWallet();
  const sent = await send(api, key, wallet.id, { network, to: RECIPIENT, asset, amount: "2.5" });
  await transactionWith(api, key, sent, "confirmed");
  expect(await balanceOf(chain, asset, RECIPIENT)).toBe(2_500_000n);
});

test("swaps and sells a token whose allowance changes only from zero", async () => {
  const wallet = await createOddWallet();
  const wish = { from: { network, asset, amount: "100" }, to: { network, asset: usd } };
  const swapped = await completed(await swap(api, key, wallet.id, wish));
  await chain.approve(wallet.address, asset, router, 1n);
  const terms = { walletId: wallet.id, symbol: "ODD-USD", side: "sell", type: "market", quantity: "50" };
  const order = await orderWith(api, key, await placeOrder(api, key, terms), "filled");
  expect(await balanceOf(chain, asset, wallet.address)).toBe(850_000_000n);
  const brought = 1e9 + Number(swapped.to.received) * 1e6 + Number(order.averagePrice) * 50e6;
  expect(await balanceOf(chain, usd, wallet.address)).toBe(BigInt(Math.round(brought)));
});

test("names both allowances to callers who send the transactions themselves", async () => {
  const sender = (await createOddWallet()).address;
  const body = { sender, from: { network, asset, amount: "5" }, to: { network, asset: usd } };
  const { body: answer } = await api.send("POST", "/v1/swaps/prepare", { key, body, idempotencyKey: null });
  const steps = answer.prepared.steps.map(({ type, description }: Record<string, string>) => [
    type,
    description,
  ]);
  expect(steps.slice(0, 2)).toEqual([
    ["approve", `Let ${router} take nothing: ODD changes an allowance only from zero.`],
    ["approve", `Let ${router} take exactly 5 ODD.`],
  ]);
});

test("reports the received amount of a token with a transfer fee, not the quoted one", async () => {
  const wallet = await createOddWallet();
  await odd.setFee(100n);
  const wish = { from: { network, asset: usd, amount: "100" }, to: { network, asset } };
  const { to } = await completed(await swap(api, key, wallet.id, wish));
  const arrived = (await balanceOf(chain, asset, wallet.address)) - 1_000_000_000n;
  expect(BigInt(Math.round(Number(to.received) * 1e6))).toBe(arrived);
  expect(Number(to.received)).toBeCloseTo(Number(to.expected) * 0.99, 5);
  const terms = { walletId: wallet.id, symbol: "ODD-USD", side: "buy", type: "market", quantity: "10" };
  const order = await orderWith(api, key, await placeOrder(api, key, terms), "cancelled");
  expect(order).toMatchObject({ filledQuantity: "9.9", fills: [{ quantity: "9.9" }] });
});
