import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  maxUint256,
  parseEther,
  parseSignature,
  parseUnits,
} from "viem";
import { expect, onTestFinished, test } from "vitest";
import { signedTransferAbi, wrappedNativeAbi } from "#server/providers/chain/abi.ts";
import { type Answered, startApi } from "#server/testing/api.ts";
import { decide } from "#server/testing/approvals.ts";
import { type SignedTransfer, signedMessages } from "#server/testing/authorizations.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { startJobs } from "#server/testing/jobs.ts";
import { placeQuote, quoteOrder } from "#server/testing/trading.ts";
import { createWallet, execute, PLAIN, quote, RECIPIENT } from "#server/testing/transactions.ts";
import { startDepositWatcher } from "../deposits/deposit-watcher.ts";

const chain = await startTestChain();
const api = await startApi({ settings: { chains: [chain.settings] } });
const { chainId, contracts } = chain.settings;
const { usd } = contracts;
const NETWORK = `eip155:${chainId}`;
/** The account that submits others' signed messages. */
const RELAYER = "0x5000000000000000000000000000000000000002";
await chain.fund(RELAYER, { eth: "10" });

const { transferOf, authorization, cancellation, permit } = signedMessages(chain);

interface Owner {
  key: string;
  id: string;
  address: Address;
}

async function createOwner(policy?: Record<string, unknown>): Promise<Owner> {
  const { key } = await createPayingKey(api, 10_000);
  const { id, address } = await createWallet(api, chain, key, {
    eth: "1",
    usd: "100",
    ...(policy && { policy }),
  });
  return { key, id, address };
}

async function watch() {
  const watcher = startDepositWatcher(api.databaseUrl);
  onTestFinished(() => watcher.stop());
  const { client: sql } = api.platform.database;
  for (let known = false; !known; ) [{ known }] = await sql`select exists(select from chain_heads) as known`;
}

async function quotedSignature({ key, id }: Owner, typedData: object) {
  const path = `/v1/wallets/${id}/signatures`;
  const body = { kind: "typed_data", typedData };
  const quoted = await api.send("POST", `${path}/quote`, { key, body });
  expect(quoted.status).toBe(201);
  return () => api.send("POST", path, { key, body: { quoteId: quoted.body.quote.id } });
}

async function sign(owner: Owner, typedData: object): Promise<Answered> {
  const create = await quotedSignature(owner, typedData);
  return create();
}

/** Executes a signed transfer as a relayer does. */
const carryOut = ({ address }: Owner, { value, nonce, validBefore }: SignedTransfer, signature: Hex) => {
  const { r, s, yParity } = parseSignature(signature);
  const args = [address, RECIPIENT, value, 0n, BigInt(validBefore), nonce, 27 + yParity, r, s] as const;
  return chain.sendAs(
    RELAYER,
    usd,
    encodeFunctionData({ abi: signedTransferAbi, functionName: "transferWithAuthorization", args }),
  );
};

async function readUsd({ key, id }: Owner) {
  const { body } = await api.send("GET", `/v1/wallets/${id}/balances`, { key });
  const { amount, reserved, available } = body.balances.find(
    (one: { symbol: string }) => one.symbol === "USD",
  );
  return { amount, reserved, available };
}

async function quotedSend({ key, id }: Owner, body: object) {
  const { id: quoteId } = await quote(api, key, id, { ...PLAIN, ...body });
  return () => execute(api, key, id, { quoteId });
}
const quotedTransfer = (owner: Owner, amount: string) => quotedSend(owner, { asset: usd, amount });
const quotedApprove = (owner: Owner, amount: bigint) =>
  quotedSend(owner, {
    to: usd,
    amount: "0",
    data: encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [RECIPIENT, amount] }),
  });
async function quotedOrder({ key, id }: Owner, amount: string) {
  const { id: quoteId } = await quoteOrder(api, key, {
    walletId: id,
    side: "buy",
    type: "limit",
    quantity: String(Number(amount) / 1000),
    limitPrice: "1000",
  });
  return () => placeQuote(api, key, { quoteId });
}

test("reserves a signed transfer until the chain has executed it, and again if a reorganisation removes it", async () => {
  await watch();
  const owner = await createOwner();
  const transfer = transferOf("30");
  const signed = await sign(owner, authorization(owner, transfer));
  expect(signed.status).toBe(201);
  expect(await readUsd(owner)).toEqual({ amount: "100", reserved: "30", available: "70" });
  const refused = await (await quotedTransfer(owner, "70.000001"))();
  expect([refused.status, refused.body.error.code]).toEqual([409, "state_conflict"]);
  const beyond = await sign(owner, authorization(owner, transferOf("70.000001")));
  expect([beyond.status, beyond.body.error.code]).toEqual([409, "state_conflict"]);
  expect(beyond.body.error.message).toContain("the wallet has 70 USD that nothing else reserves");

  await carryOut(owner, transfer, signed.body.signature.signature);
  await expect.poll(() => readUsd(owner)).toEqual({ amount: "70", reserved: "0", available: "70" });
  await chain.reorganise(1);
  await expect.poll(() => readUsd(owner)).toEqual({ amount: "100", reserved: "30", available: "70" });
  await carryOut(owner, transfer, signed.body.signature.signature);
  await expect.poll(() => readUsd(owner)).toEqual({ amount: "70", reserved: "0", available: "70" });
  const again = await sign(owner, authorization(owner, transfer));
  expect(again.status).toBe(201);
  expect(await readUsd(owner)).toEqual({ amount: "70", reserved: "0", available: "70" });
});

test("gives back a signed transfer that is cancelled on the chain", async () => {
  await watch();
  const owner = await createOwner();
  const transfer = transferOf("30", { validBefore: 8_640_000_000_001 });
  expect((await sign(owner, authorization(owner, transfer))).status).toBe(201);
  expect(await readUsd(owner)).toMatchObject({ reserved: "30" });
  const { signature } = (await sign(owner, cancellation(owner, transfer))).body.signature;
  const { r, s, yParity } = parseSignature(signature);
  await chain.sendAs(
    RELAYER,
    usd,
    encodeFunctionData({
      abi: signedTransferAbi,
      functionName: "cancelAuthorization",
      args: [owner.address, transfer.nonce, 27 + yParity, r, s],
    }),
  );
  await expect.poll(() => readUsd(owner)).toEqual({ amount: "100", reserved: "0", available: "100" });
});

test("gives back a signed transfer a minute after it has expired", async () => {
  const owner = await createOwner();
  const validBefore = Math.floor(Date.now() / 1000) - 50;
  expect((await sign(owner, authorization(owner, transferOf("30", { validBefore })))).status).toBe(201);
  expect(await readUsd(owner)).toEqual({ amount: "100", reserved: "30", available: "70" });
  await expect.poll(() => readUsd(owner)).toEqual({ amount: "100", reserved: "0", available: "100" });
});

test("reserves a signed transfer while it awaits its approval, and gives it back when that is rejected", async () => {
  const worker = await startJobs(api);
  onTestFinished(() => worker.stop());
  const owner = await createOwner({ approval: { always: true } });
  const [initiator, decider] = [await api.createChild(owner.key), await api.createChild(owner.key)];
  const asked = await sign({ ...owner, key: initiator.key }, authorization(owner, transferOf("30")));
  expect(asked.status).toBe(202);
  expect(await readUsd(owner)).toEqual({ amount: "100", reserved: "30", available: "70" });
  const { body } = await api.send("GET", "/v1/approvals?status=pending", { key: owner.key });
  expect((await decide(api, decider.key, body.approvals[0], { decision: "reject" })).status).toBe(200);
  await expect.poll(() => readUsd(owner)).toEqual({ amount: "100", reserved: "0", available: "100" });
});

test("signs away no more than a wallet has beside sends and orders, however many are made at once, and all of it is good", async () => {
  const owner = await createOwner();
  const transfers = Array.from({ length: 10 }, () => transferOf("10"));
  const creates = await Promise.all(
    transfers
      .map((transfer) => quotedSignature(owner, authorization(owner, transfer)))
      .concat(
        Array.from({ length: 4 }, () => [quotedOrder(owner, "10"), quotedTransfer(owner, "10")]).flat(),
      ),
  );
  const answers = await Promise.all(creates.map((create) => create()));
  const accepted = answers.filter(({ status }) => status < 300);
  expect(accepted).toHaveLength(10);
  expect(new Set(answers.map(({ status }) => status).filter((status) => status >= 300))).toEqual(
    new Set([409]),
  );
  expect(await readUsd(owner)).toEqual({ amount: "100", reserved: "100", available: "0" });
  const signed = transfers.flatMap((transfer, nth) => {
    const { signature } = answers[nth]?.body ?? {};
    return signature ? [{ transfer, signature: signature.signature }] : [];
  });
  // Sends and orders together use at most eighty.
  expect(signed.length).toBeGreaterThanOrEqual(2);
  for (const { transfer, signature } of signed) await carryOut(owner, transfer, signature);
  const amount = String(100 - 10 * signed.length);
  await watch();
  await chain.mine();
  await expect.poll(() => readUsd(owner)).toEqual({ amount, reserved: amount, available: "0" });
});

test("passes no daily cap by any mix of allowances, permits, signed transfers, sends and orders at once", async () => {
  const owner = await createOwner({ dailyLimitUsd: "50" });
  await chain.fund(owner.address, { usd: "900" });
  const units = parseUnits("10", 6);
  const creates = await Promise.all(
    Array.from({ length: 4 }, () => [
      quotedApprove(owner, units),
      quotedSignature(owner, permit(owner, units)),
      quotedSignature(owner, authorization(owner, transferOf("10"))),
      quotedTransfer(owner, "10"),
      quotedOrder(owner, "10"),
    ]).flat(),
  );
  const answers = await Promise.all(creates.map((create) => create()));
  expect(answers.filter(({ status }) => status < 300)).toHaveLength(5);
  const refused = answers.filter(({ status }) => status >= 300);
  expect(new Set(refused.map(({ body }) => body.error.code))).toEqual(new Set(["policy_denied"]));

  const all = await Promise.all([
    quotedApprove(owner, maxUint256),
    quotedSignature(owner, permit(owner, maxUint256)),
    quotedSignature(owner, permit(owner, parseUnits("50.000001", 6))),
  ]);
  for (const create of all) {
    const { status, body } = await create();
    expect([status, body.error.code]).toEqual([403, "policy_denied"]);
  }
});

test("reserves nothing for an allowance, however large", async () => {
  const owner = await createOwner();
  expect((await sign(owner, permit(owner, maxUint256))).status).toBe(201);
  expect((await (await quotedApprove(owner, maxUint256))()).status).toBe(202);
  expect(await readUsd(owner)).toEqual({ amount: "100", reserved: "0", available: "100" });
});

test("asks people about an allowance of any amount where they decide above one", async () => {
  const owner = await createOwner({ approval: { aboveUsd: "20" } });
  expect((await sign(owner, permit(owner, maxUint256))).status).toBe(202);
  expect((await sign(owner, permit(owner, parseUnits("20", 6)))).status).toBe(201);
});

test("reserves nothing for a transfer that its token can't carry out", async () => {
  const owner = await createOwner();
  const { wrappedNative } = contracts;
  const data = encodeFunctionData({ abi: wrappedNativeAbi, functionName: "deposit" });
  await chain.sendAs(owner.address, wrappedNative, data, parseEther("0.5"));
  const typedData = authorization(owner, transferOf("30"));
  const other = { ...typedData, domain: { ...typedData.domain, verifyingContract: wrappedNative } };
  expect((await sign(owner, other)).status).toBe(201);
  const { body } = await api.send("GET", `/v1/wallets/${owner.id}/balances?network=${NETWORK}`, {
    key: owner.key,
  });
  const wrapped = body.balances.find(({ asset }: { asset: string }) => asset === wrappedNative);
  expect(wrapped).toMatchObject({ amount: "0.5", reserved: "0", available: "0.5" });
});
