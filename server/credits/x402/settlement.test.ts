import { encodeFunctionData, type Hex, parseSignature } from "viem";
import { expect, test } from "vitest";
import { signedTransferAbi } from "#server/providers/chain/abi.ts";
import { openChains } from "#server/providers/chain/chains.ts";
import { localFacilitator } from "#server/providers/facilitator/local-facilitator.ts";
import { startApi, unique } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { startJobs } from "#server/testing/jobs.ts";
import {
  type Authorization,
  createPayer,
  paidOn,
  signPayment,
  signTransfer,
  topUp,
  usdOf,
} from "#server/testing/payments.ts";
import { type PeerAnswer, startPeer } from "#server/testing/peer.ts";

const chain = await startTestChain();
const paid = await paidOn(chain);
const treasury = chain.accounts.treasury.address;
const honest = localFacilitator(openChains([chain.settings]).all[0] as never, chain.accounts.facilitator);
/** The facilitator's response to a request to settle. */
let settle: (settled: () => ReturnType<typeof honest.settle>) => Promise<PeerAnswer>;
const peer = await startPeer(async ({ path, body }) => {
  const { paymentPayload, paymentRequirements } = JSON.parse(body);
  const { payload } = paymentPayload;
  if (path === "/verify") return { body: await honest.verify(payload, paymentRequirements) };
  return settle(() => honest.settle(payload, paymentRequirements));
});
const api = await startApi({
  settings: { ...paid, payments: { treasury, facilitator: peer.origin, patienceMs: 1000 } },
});

async function createBuyer() {
  const payer = await createPayer(chain);
  return { ...(await api.createRootKey()), payer, idempotencyKey: unique("settled") };
}

const balanceOf = async (key: string) =>
  (await api.send("GET", "/v1/credits/balance", { key })).body.balance.totalCredits;

/** Settles the transfer at the token itself, without a facilitator. */
async function settleDirectly({
  signature,
  authorization,
}: {
  signature: Hex;
  authorization: Authorization;
}) {
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  const { r, s, yParity } = parseSignature(signature);
  const data = encodeFunctionData({
    abi: signedTransferAbi,
    functionName: "transferWithAuthorization",
    args: [from, to, BigInt(value), BigInt(validAfter), BigInt(validBefore), nonce, 27 + yParity, r, s],
  });
  const { faucet } = chain.accounts;
  await chain.sendAs(faucet.address, chain.settings.contracts.usd, data);
}

test("credits by the chain's record a payment that a facilitator settled without responding", async () => {
  const { key, payer, idempotencyKey } = await createBuyer();
  const { payment } = await signPayment(api, chain, { key, payer });
  settle = async (settled) => {
    await settled();
    return { status: 500, body: "lost" };
  };
  const { status, body } = await topUp(api, { key, idempotencyKey, payment });
  expect([status, body.creditedCredits]).toEqual([200, 25_000]);
});

test("credits a payment that somebody else settled with the same signature during our settlement", async () => {
  const { key, payer } = await createBuyer();
  const { payment, payload } = await signPayment(api, chain, { key, payer });
  settle = async (settled) => {
    await settleDirectly(payload);
    return { body: await settled() };
  };
  const { status, body } = await topUp(api, { key, payment });
  expect([status, body.creditedCredits]).toEqual([200, 25_000]);
});

test("credits nothing where the payer settles a small transfer under the same nonce", async () => {
  const { key, payer, idempotencyKey } = await createBuyer();
  const before = await usdOf(chain, treasury);
  const { payment, payload } = await signPayment(api, chain, { key, payer });
  const { nonce } = payload.authorization;
  const small = await signTransfer(chain, payer, { to: treasury, value: "10000", nonce });
  settle = async (settled) => {
    await settleDirectly(small);
    return { body: await settled() };
  };
  const refused = await topUp(api, { key, idempotencyKey, payment });
  expect([refused.status, refused.body.error.code]).toEqual([402, "payment_required"]);
  expect(refused.body.error.message).toContain("its nonce was used for another transfer");
  expect([await balanceOf(key), (await usdOf(chain, treasury)) - before]).toEqual([0, 10_000n]);
});

test("credits a payment that was settled after its refusal", async () => {
  const { key, payer, idempotencyKey } = await createBuyer();
  const { payment, payload } = await signPayment(api, chain, { key, payer });
  settle = async () => ({
    body: { success: false, errorReason: "policy", transaction: "", network: "eip155:31337" },
  });
  expect((await topUp(api, { key, idempotencyKey, payment })).status).toBe(402);
  await settleDirectly(payload);
  const worker = await startJobs(api);
  await api.platform.database.client`update graphile_worker._private_jobs set run_at = now()`;
  await expect.poll(() => balanceOf(key)).toBe(25_000);
  await worker.stop();
});

test("answers 503 naming the chain while it is down, charges nothing, and works when it is back", async () => {
  const { key, payer, idempotencyKey } = await createBuyer();
  const { payment } = await signPayment(api, chain, { key, payer });
  settle = async (settled) => ({ body: await settled() });
  await chain.stop();
  const refused = await topUp(api, { key, idempotencyKey, payment });
  expect([refused.status, refused.body.error]).toMatchObject([
    503,
    { code: "service_unavailable", operationState: "not_started", retryable: true },
  ]);
  expect(refused.body.error.message).toContain("CHAINS");
  await chain.start();
  expect((await topUp(api, { key, idempotencyKey, payment })).status).toBe(200);
  expect(await balanceOf(key)).toBe(25_000);
});

test("credits nothing on a facilitator's claim, and requests a new payment once the authorization has expired", async () => {
  const { key, payer, idempotencyKey } = await createBuyer();
  const { payment } = await signPayment(api, chain, { key, payer });
  settle = async () => ({
    body: {
      success: true,
      transaction: `0x${"1".repeat(64)}`,
      network: "eip155:31337",
      payer: payer.address,
    },
  });
  for (const sent of [{ payment }, {}]) {
    const answer = await topUp(api, { key, idempotencyKey, ...sent });
    expect([answer.status, answer.body.error]).toMatchObject([
      409,
      { code: "settlement_pending", retryable: true, operationState: "in_progress" },
    ]);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  }
  const other = (await signPayment(api, chain, { key, payer })).payment;
  expect((await topUp(api, { key, idempotencyKey, payment: other })).status).toBe(409);
  await chain.client.increaseTime({ seconds: 300 });
  await chain.mine(1);
  expect((await topUp(api, { key, idempotencyKey })).body.error.code).toBe("payment_required");
  expect(await balanceOf(key)).toBe(0);
});
