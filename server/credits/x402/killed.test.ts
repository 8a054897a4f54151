import { expect, test } from "vitest";
import { makeTasks } from "#server/jobs/tasks.ts";
import { startWorker } from "#server/jobs/worker.ts";
import { startApi, unique } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { createTestDatabase } from "#server/testing/database.ts";
import { createPayer, paidOn, signPayment, topUp, usdOf } from "#server/testing/payments.ts";
import { startServer } from "#server/testing/server-process.ts";

const chain = await startTestChain();
const database = await createTestDatabase();
const api = await startApi({ database, settings: await paidOn(chain) });
const { client } = api.platform.database;
const treasury = chain.accounts.treasury.address;

interface Begun {
  key: string;
  idempotencyKey: string;
  payment: string;
}

async function signOne(): Promise<Begun> {
  const { key } = await api.createRootKey();
  const { payment } = await signPayment(api, chain, { key, payer: await createPayer(chain) });
  return { key, idempotencyKey: unique("killed"), payment };
}

/** Has a process send these payments to the chain, and kills it before it sees them settled. */
async function settleAndDie(payments: Begun[]) {
  const { origin, child, untilGone } = await startServer(
    database.url,
    "--chain",
    JSON.stringify(chain.settings),
  );
  await chain.client.setAutomine(false);
  const calls = payments.map(({ key, idempotencyKey, payment }) =>
    fetch(`${origin}/v1/credits/x402/top-up`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "idempotency-key": idempotencyKey,
        "payment-signature": payment,
        "content-type": "application/json",
      },
      body: JSON.stringify({ amountUsd: 25 }),
    }).catch(() => null),
  );
  const sent = () => chain.client.getTxpoolStatus();
  await expect.poll(sent).toMatchObject({ pending: payments.length });
  child.kill("SIGKILL");
  expect(await Promise.all(calls)).toEqual(payments.map(() => null));
  await untilGone();
  await chain.client.setAutomine(true);
  await chain.mine();
}

const balanceOf = async (key: string) =>
  (await api.send("GET", "/v1/credits/balance", { key })).body.balance.totalCredits;

test("credits the payments that a killed process has settled once: with a repeat of the payment, without it, and without any repeat", async () => {
  const before = await usdOf(chain, treasury);
  const [withPayment, without, unasked] = [await signOne(), await signOne(), await signOne()];
  await settleAndDie([withPayment, without, unasked]);
  expect((await usdOf(chain, treasury)) - before).toBe(75_000_000n);
  expect(await balanceOf(withPayment.key)).toBe(0);
  const { payment, ...repeat } = without;
  for (const call of [withPayment, repeat]) {
    const answer = await topUp(api, call);
    expect([answer.status, answer.body.creditedCredits]).toEqual([200, 25_000]);
  }

  const worker = await startWorker({ url: database.url, tasks: makeTasks(api.platform) });
  await client`update graphile_worker._private_jobs set run_at = now()`;
  await expect.poll(() => balanceOf(unasked.key)).toBe(25_000);
  await worker.stop();
  const { key, idempotencyKey } = unasked;
  const late = await topUp(api, { key, idempotencyKey });
  expect([late.status, late.body.balance.totalCredits]).toEqual([200, 25_000]);
  expect(late.headers.get("x-service-paid-agent-receipt")).toBe(late.body.receiptId);
  const { body } = await api.send("GET", "/v1/audit-events?operation=credits.x402.recover", { key });
  expect(body.auditEvents).toMatchObject([{ actor: { type: "system" }, resource: late.body.receiptId }]);
  for (const one of [withPayment, without]) expect(await balanceOf(one.key)).toBe(25_000);
});
