import { expect, test } from "vitest";
import { startApi, unique } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { createTestDatabase } from "#server/testing/database.ts";
import { createPayer, paidOn, signPayment, usdOf } from "#server/testing/payments.ts";
import { startServer } from "#server/testing/server-process.ts";

const chain = await startTestChain();
const database = await createTestDatabase();
const api = await startApi({ database, settings: await paidOn(chain) });

test("is paid once though a repeat pays by another authorization while the first process is frozen", async () => {
  const { client } = api.platform.database;
  const { key } = await api.createRootKey();
  const payer = await createPayer(chain);
  const before = await usdOf(chain, chain.accounts.treasury.address);
  const { origin, name, child } = await startServer(database.url, "--chain", JSON.stringify(chain.settings));
  const idempotencyKey = unique("frozen");
  const pay = async (from: string, payment: string) => {
    const answer = await fetch(`${from}/v1/credits/x402/top-up`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "idempotency-key": idempotencyKey,
        "payment-signature": payment,
        "content-type": "application/json",
      },
      body: JSON.stringify({ amountUsd: 25 }),
    });
    return { status: answer.status, body: await answer.json() };
  };
  const [one, another] = [
    await signPayment(api, chain, { key, payer }),
    await signPayment(api, chain, { key, payer }),
  ];

  // It has claimed its key and found no payment of an earlier attempt, and is frozen as it records its own.
  let first: ReturnType<typeof pay> | undefined;
  await client.begin(async (tx) => {
    await tx`lock table payments in share mode`;
    first = pay(origin, one.payment);
    const waiting = () =>
      client`select from pg_stat_activity where application_name = ${name} and wait_event_type = 'Lock'`;
    await expect.poll(waiting).toHaveLength(1);
    child.kill("SIGSTOP");
  });
  await client`
    select pg_terminate_backend(pid) from pg_locks join pg_stat_activity using (pid)
    where locktype = 'advisory' and application_name = ${name}`;
  const second = await pay(api.origin, another.payment);
  expect(second).toMatchObject({ status: 200, body: { creditedCredits: 25_000 } });
  child.kill("SIGCONT");
  await first;
  expect(await pay(origin, one.payment)).toEqual(second);
  expect((await usdOf(chain, chain.accounts.treasury.address)) - before).toBe(25_000_000n);
});
