import { eq } from "drizzle-orm";
import { encodeFunctionData, erc20Abi } from "viem";
import { expect, onTestFinished, test } from "vitest";
import { payments } from "#db/schema/payments.ts";
import { defined } from "#server/base/defined.ts";
import { uuidOf } from "#server/base/ids.ts";
import { startApi, unique } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { stopClock } from "#server/testing/clock.ts";
import { startJobs } from "#server/testing/jobs.ts";
import { createPayer, paidOn, signPayment, topUp, usdOf } from "#server/testing/payments.ts";
import { recoverPayment } from "./recover-payment.ts";

const chain = await startTestChain();
const api = await startApi({ settings: await paidOn(chain) });
const { client } = api.platform.database;
const treasury = chain.accounts.treasury.address;
const usd = chain.settings.contracts.usd;

const balanceOf = async (key: string) =>
  (await api.send("GET", "/v1/credits/balance", { key })).body.balance.totalCredits;

/** Buys 25 USD of credits, and removes the block of the payment from the chain. */
async function buyAndLose(options: { validBefore?: number } = {}) {
  const { key } = await api.createRootKey();
  const payer = await createPayer(chain);
  const { payment } = await signPayment(api, chain, { key, payer, ...options });
  const before = await usdOf(chain, treasury);
  const bought = await topUp(api, { key, payment, idempotencyKey: unique("lost") });
  expect([bought.status, await balanceOf(key)]).toEqual([200, 25_000]);
  await chain.reorganise(1);
  expect(await usdOf(chain, treasury)).toBe(before);
  return { key, payer, before, receiptId: bought.body.receiptId };
}

const isReversed = async (receiptId: string) =>
  (await api.send("GET", `/receipts/${receiptId}`)).body.receipt.reversed;

/** Starts a worker until the test ends: before that, no payment is settled again. */
async function startWorker() {
  const worker = await startJobs(api);
  onTestFinished(worker.stop);
}

/** Makes the worker check payments now. */
const look = () => client`update graphile_worker._private_jobs set run_at = now() where key like 'payment/%'`;

test("settles a credited payment again that a reorganisation has taken from the chain", async () => {
  const { key, before, receiptId } = await buyAndLose();
  await startWorker();
  await look();
  await expect.poll(() => usdOf(chain, treasury)).toBe(before + 25_000_000n);
  await chain.mine(chain.settings.finality);
  const isFinal = async () => {
    await look();
    const [row] =
      await client`select finalized_at is not null as final from payments where receipt_id = ${uuidOf("receipt", receiptId)}`;
    return row?.final;
  };
  await expect.poll(isFinal).toBe(true);
  expect(await balanceOf(key)).toBe(25_000);
  expect(await isReversed(receiptId)).toBe(false);
});

test("looks ever less often at a credited payment whose signature has run out", async () => {
  const { key } = await api.createRootKey();
  const validBefore = Math.floor(Date.now() / 1000) + 100;
  const { payment } = await signPayment(api, chain, { key, payer: await createPayer(chain), validBefore });
  const { receiptId } = (await topUp(api, { key, payment })).body;
  const [row] = await api.platform.database.db
    .select()
    .from(payments)
    .where(eq(payments.receiptId, receiptId));
  const pauseAfter = async (ms: number) => {
    const now = validBefore * 1000 + ms;
    stopClock(now);
    const { db } = api.platform.database;
    const again = await recoverPayment(db, api.platform.chains, defined(row));
    return defined(again).getTime() - now;
  };
  expect([
    await pauseAfter(-50_000),
    await pauseAfter(60_000),
    await pauseAfter(600_000),
    await pauseAfter(86_400_000),
  ]).toEqual([15_000, 60_000, 600_000, 3_600_000]);
});

test("takes the credits of a payment back that a reorganisation has taken and nobody can settle again", async () => {
  const validBefore = Math.floor(Date.now() / 1000) + 120;
  const { key, payer, before, receiptId } = await buyAndLose({ validBefore });
  await chain.fund(payer.address, { eth: "1" });
  const everything = await chain.client.readContract({
    address: usd,
    abi: erc20Abi,
    functionName: "balanceOf",
    args: [payer.address],
  });
  await chain.sendAs(
    payer.address,
    usd,
    encodeFunctionData({
      abi: erc20Abi,
      functionName: "transfer",
      args: [chain.accounts.faucet.address, everything],
    }),
  );
  expect(await isReversed(receiptId)).toBe(false);
  await chain.client.increaseTime({ seconds: 600 });
  await startWorker();
  const balanceAfterBlocks = async () => {
    await chain.mine(chain.settings.finality);
    await look();
    return balanceOf(key);
  };
  await expect.poll(balanceAfterBlocks, { interval: 1000 }).toBe(0);
  expect(await isReversed(receiptId)).toBe(true);
  expect(await usdOf(chain, treasury)).toBe(before);
  const audit = await api.send("GET", "/v1/audit-events?operation=credits.x402.reverse", { key });
  expect(audit.body.auditEvents).toMatchObject([{ actor: { type: "system" }, resource: receiptId }]);
});
