import { expect, test } from "vitest";
import { openChains } from "#server/providers/chain/chains.ts";
import { localFacilitator } from "#server/providers/facilitator/local-facilitator.ts";
import { startApi } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { createPayer, paidOn, usdOf } from "#server/testing/payments.ts";
import { startPeer } from "#server/testing/peer.ts";
import { startSpoiledProxy } from "#server/testing/spoiled-proxy.ts";
import { ConflictError, Platform } from "../../clients/typescript/src/index.ts";
import { payWith } from "../../clients/typescript/src/x402.ts";

const chain = await startTestChain();
const paid = await paidOn(chain);
const treasury = chain.accounts.treasury.address;
const honest = localFacilitator(openChains([chain.settings]).all[0] as never, chain.accounts.facilitator);
/** How many times the facilitator claims a settlement that it has not made. */
let lies = 0;
const facilitator = await startPeer(async ({ path, body }) => {
  const { paymentPayload, paymentRequirements } = JSON.parse(body);
  const { payload } = paymentPayload;
  if (path === "/verify") return { body: await honest.verify(payload, paymentRequirements) };
  if (lies > 0) {
    lies -= 1;
    const { from } = payload.authorization;
    return {
      body: { success: true, transaction: `0x${"1".repeat(64)}`, network: "eip155:31337", payer: from },
    };
  }
  return { body: await honest.settle(payload, paymentRequirements) };
});
const api = await startApi({
  settings: { ...paid, payments: { treasury, facilitator: facilitator.origin, patienceMs: 1000 } },
});
const proxy = await startSpoiledProxy(api.origin);

test("repeats a call whose payment is being settled, with the same signature, until it is credited", async () => {
  const { key } = await api.createRootKey();
  const before = await usdOf(chain, treasury);
  let signed = 0;
  const pay = payWith(await createPayer(chain), { maxUsd: 25 });
  const platform = new Platform({
    apiKey: key,
    baseUrl: proxy.origin,
    payment: (asked) => {
      signed += 1;
      return pay(asked);
    },
  });
  lies = 1;
  const began = proxy.seen.length;
  expect((await platform.credits.x402.topUp({ amountUsd: 25 })).creditedCredits).toBe(25_000);
  const sent = proxy.seen.slice(began).map(({ headers }) => headers);
  expect(sent).toHaveLength(3);
  expect(new Set(sent.map((headers) => headers["idempotency-key"])).size).toBe(1);
  expect(sent[0]?.["payment-signature"]).toBeUndefined();
  expect(sent[2]?.["payment-signature"]).toBe(sent[1]?.["payment-signature"]);
  expect([signed, (await usdOf(chain, treasury)) - before]).toEqual([1, 25_000_000n]);
});

test("says that a payment is being settled once it has asked as often as it should, and signs no other", async () => {
  const { key } = await api.createRootKey();
  let signed = 0;
  const pay = payWith(await createPayer(chain), { maxUsd: 25 });
  const platform = new Platform({
    apiKey: key,
    baseUrl: api.origin,
    maxRetries: 0,
    payment: (asked) => {
      signed += 1;
      return pay(asked);
    },
  });
  lies = 1;
  const refusal = await platform.credits.x402.topUp({ amountUsd: 25 }).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(ConflictError);
  expect(refusal).toMatchObject({
    code: "settlement_pending",
    retryable: true,
    operationState: "in_progress",
    retryAfterSeconds: 3,
  });
  expect(signed).toBe(1);
});
