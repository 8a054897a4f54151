import { generateKeyPairSync } from "node:crypto";
import { createLocalJWKSet, jwtVerify } from "jose";
import { expect, test } from "vitest";
import { newId } from "#server/base/ids.ts";
import { grantCredits } from "#server/credits/post-credits.ts";
import { startApi } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { signInMember } from "#server/testing/console.ts";
import { createPayer, paidOn, signPayment, topUp } from "#server/testing/payments.ts";

const chain = await startTestChain();
const api = await startApi({ settings: await paidOn(chain) });

test("gives each purchase a receipt that a JOSE library verifies offline", async () => {
  const { key, accountId } = await api.createRootKey();
  const payer = await createPayer(chain);
  const { payment } = await signPayment(api, chain, { key, payer });
  const { receiptId } = (await topUp(api, { key, payment })).body;

  const read = await api.send("GET", `/receipts/${receiptId}`);
  expect(read.status).toBe(200);
  const { jws, ...shown } = read.body.receipt;
  const { status, body: keys } = await api.send("GET", "/.well-known/jwks.json");
  expect(status).toBe(200);
  const { payload, protectedHeader } = await jwtVerify(jws, createLocalJWKSet(keys), {
    issuer: "http://platform.test",
    subject: accountId,
  });
  expect(protectedHeader.alg).toBe("EdDSA");
  const facts = {
    creditedUsd: 25,
    creditedCredits: 25_000,
    payment: {
      network: "eip155:31337",
      asset: chain.settings.contracts.usd,
      amount: "25",
      payer: payer.address,
      payTo: chain.accounts.treasury.address,
      logIndex: expect.any(Number),
      transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    },
  };
  expect(payload).toMatchObject({ jti: receiptId, ...facts });
  expect(shown).toMatchObject({ id: receiptId, accountId, ...facts });
  const forged = jws.replace(/\.[^.]+\./, `.${Buffer.from('{"creditedUsd":500}').toString("base64url")}.`);
  await expect(jwtVerify(forged, createLocalJWKSet(keys))).rejects.toThrow("signature verification failed");
});

test("publishes the key of earlier receipts after it is replaced", async () => {
  const { key } = await api.createRootKey();
  const buy = async () => {
    const { payment } = await signPayment(api, chain, { key, payer: await createPayer(chain) });
    const { receiptId } = (await topUp(api, { key, payment })).body;
    return (await api.mustSend(200, "GET", `/receipts/${receiptId}`)).receipt.jws;
  };
  const before = await buy();
  api.platform.settings.receiptSigningKey = generateKeyPairSync("ed25519").privateKey;
  const after = await buy();
  const keys = createLocalJWKSet((await api.send("GET", "/.well-known/jwks.json")).body);
  const [old, current] = [await jwtVerify(before, keys), await jwtVerify(after, keys)];
  expect(current.protectedHeader.kid).not.toBe(old.protectedHeader.kid);
});

test("links only purchases in the ledger to receipts", async () => {
  const { key, accountId } = await api.createRootKey();
  const { payment } = await signPayment(api, chain, { key, payer: await createPayer(chain) });
  const { receiptId } = (await topUp(api, { key, payment })).body;
  await api.platform.database.db.transaction((tx) =>
    grantCredits(tx, { accountId, credits: 5, reference: "grant", description: "Welcome" }),
  );
  const owner = await signInMember(api, accountId, "owner");
  const { entries } = (await owner.query("credits.ledger.list")).data;
  expect(entries).toMatchObject([
    { kind: "grant", receiptUrl: null },
    {
      kind: "purchase",
      amount: 25_000,
      description: "25.00 USD by x402",
      receiptUrl: `http://platform.test/receipts/${receiptId}`,
    },
  ]);
});

test("finds a purchase by a part of its payer or transaction", async () => {
  const { key } = await api.createRootKey();
  const payer = await createPayer(chain);
  for (const one of [payer, await createPayer(chain)])
    await topUp(api, { key, payment: (await signPayment(api, chain, { key, payer: one })).payment });
  const found = async (search: string) =>
    (await api.mustSend(200, "GET", `/v1/credits/ledger?search=${search}`, { key })).entries;
  const [purchase] = await found(payer.address.slice(2, 20).toUpperCase());
  const { receipt } = await api.mustSend(200, "GET", `/receipts/${purchase.id}`);
  expect(receipt.payment.payer).toBe(payer.address);
  for (const search of [receipt.payment.transactionHash, purchase.id])
    expect(await found(search)).toEqual([purchase]);
  expect(await found(`0x${"0".repeat(64)}`)).toEqual([]);
  const stranger = await api.createRootKey();
  const { entries } = await api.mustSend(
    200,
    "GET",
    `/v1/credits/ledger?search=${receipt.payment.transactionHash}`,
    stranger,
  );
  expect(entries).toEqual([]);
});

test("has no receipt of anything but a purchase", async () => {
  const { status, body } = await api.send("GET", `/receipts/${newId("receipt")}`);
  expect([status, body.error.code]).toEqual([404, "not_found"]);
});
