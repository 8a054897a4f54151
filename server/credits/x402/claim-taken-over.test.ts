import { expect, test } from "vitest";
import { startApi, unique } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { createTestDatabase } from "#server/testing/database.ts";
import { freezeAtTable } from "#server/testing/frozen-process.ts";
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
  const server = await startServer(database.url, "--chain", JSON.stringify(chain.settings));
  const { origin } = server;
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

  // It has claimed its key, found no payment of an earlier attempt, and is suspended while it records its own.
  const { first } = await freezeAtTable(client, server, { table: "payments", mode: "share" }, () =>
    pay(origin, one.payment),
  );
  const second = await pay(api.origin, another.payment);
  expect(second).toMatchObject({ status: 200, body: { creditedCredits: 25_000 } });
  server.child.kill("SIGCONT");
  await first;
  expect(await pay(origin, one.payment)).toEqual(second);
  expect((await usdOf(chain, chain.accounts.treasury.address)) - before).toBe(25_000_000n);
});
