import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { createPayer, paidOn } from "#server/testing/payments.ts";
import { startSpoiledProxy } from "#server/testing/spoiled-proxy.ts";
import { ConnectionError, PaymentError, Platform } from "../../clients/typescript/src/index.ts";
import { payFromWallet, payWith } from "../../clients/typescript/src/x402.ts";

const chain = await startTestChain();
const api = await startApi({ settings: await paidOn(chain) });
const proxy = await startSpoiledProxy(api.origin);

test("pays for credits from an account of viem, exactly once despite network failures", async () => {
  const { key } = await api.createRootKey();
  const payment = payWith(await createPayer(chain), { maxUsd: 25 });
  const platform = new Platform({ apiKey: key, baseUrl: proxy.origin, payment });
  const before = (await platform.credits.balance.read()).totalCredits;
  proxy.spoil("pass", "reset after", "bad gateway after");
  const bought = await platform.credits.x402.topUp({ amountUsd: 25 });
  expect([bought.creditedUsd, bought.creditedCredits]).toEqual([25, 25_000]);
  expect((await platform.credits.balance.read()).totalCredits).toBe(before + 25_000);
  const signatures = proxy.seen.flatMap(({ headers }) => headers["payment-signature"] ?? []);
  expect(signatures).toHaveLength(3);
  expect(new Set(signatures).size).toBe(1);
});

test("repeats a call that was given up with the payment that it has signed, and signs no other", async () => {
  const { key } = await api.createRootKey();
  let signed = 0;
  const pay = payWith(await createPayer(chain), { maxUsd: 25 });
  const platform = new Platform({
    apiKey: key,
    baseUrl: proxy.origin,
    maxRetries: 0,
    payment: (asked) => {
      signed += 1;
      return pay(asked);
    },
  });
  for (const fault of ["reset before", "reset after"] as const) {
    signed = 0;
    proxy.spoil("pass", fault);
    const error = await platform.credits.x402.topUp({ amountUsd: 5 }).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(await error.repeat()).toMatchObject({ creditedCredits: 5000 });
    expect(signed).toBe(1);
  }
});

test("pays for credits from a managed wallet", async () => {
  const { key } = await api.createRootKey();
  const signer = new Platform({ apiKey: key, baseUrl: api.origin });
  const wallet = await signer.wallets.create({
    label: "Treasury",
    policy: { signatures: { messages: true, typedDataContracts: null } },
  });
  await chain.fund(wallet.address as `0x${string}`, { usd: "100" });
  const payment = payFromWallet(signer, wallet.id, { maxUsd: 10 });
  const platform = new Platform({ apiKey: key, baseUrl: api.origin, payment });
  expect((await platform.credits.x402.topUp({ amountUsd: 10 })).creditedUsd).toBe(10);
});

test("signs nothing beyond its limit, and without a payer reports the offer", async () => {
  const { key } = await api.createRootKey();
  const payment = payWith(await createPayer(chain), { maxUsd: 5 });
  const limited = new Platform({ apiKey: key, baseUrl: api.origin, payment });
  await expect(limited.credits.x402.topUp({ amountUsd: 6 })).rejects.toThrow("6 USD; maxUsd is 5");
  const plain = new Platform({ apiKey: key, baseUrl: api.origin });
  await expect(plain.credits.x402.topUp({ amountUsd: 6 })).rejects.toThrow(PaymentError);
});
