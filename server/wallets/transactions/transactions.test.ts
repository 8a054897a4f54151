import { erc20Abi, parseEther } from "viem";
import { afterAll, expect, test } from "vitest";
import { uuidOf } from "#server/base/ids.ts";
import { startApi, unique } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { eventsKept, listen } from "#server/testing/events.ts";
import {
  type Between,
  createWallet,
  execute,
  PLAIN,
  quote,
  RECIPIENT,
  send,
  startBetween,
  startSending,
  transactionWith,
} from "#server/testing/transactions.ts";

const chain = await startTestChain();
const between: Between = {};
const api = await startApi({ settings: { chains: [await startBetween(chain, between)] } });
const engine = await startSending(api);
afterAll(engine.stop);

const balanceOf = async (key: string) => (await api.send("GET", "/v1/credits/balance", { key })).body.balance;

test("sends the quoted transaction, and follows it until it is final", async () => {
  const { key, accountId } = await createPayingKey(api, 1002);
  await listen(api, accountId);
  const wallet = await createWallet(api, chain, key, { eth: "1" });
  const before = await chain.client.getBalance({ address: RECIPIENT });
  const quoted = await quote(api, key, wallet.id);
  expect(quoted).toMatchObject({
    kind: "transaction",
    walletId: wallet.id,
    input: PLAIN,
    expected: null,
    minimum: null,
    chargedCredits: 5,
    policy: { decision: "allow", reasons: [] },
    fees: [{ type: "network", asset: "native", amount: expect.stringMatching(/^0\.0/) }],
  });
  const clientReference = unique("payout");
  const created = await execute(api, key, wallet.id, { quoteId: quoted.id, clientReference });
  expect(created.status).toBe(202);
  expect(created.body.transaction).toMatchObject({
    walletId: wallet.id,
    quoteId: quoted.id,
    clientReference,
    direction: "out",
    status: "reserved",
    ...PLAIN,
    from: wallet.address,
    hash: null,
    nonce: null,
    attempts: 0,
    chargedCredits: 0,
  });
  const sent = await transactionWith(api, key, created.body.transaction, "confirmed");
  expect(sent).toMatchObject({ nonce: 0, attempts: 1, confirmations: 1, chargedCredits: 5, failure: null });
  const receipt = await chain.client.getTransactionReceipt({ hash: sent.hash });
  expect(receipt).toMatchObject({ status: "success", blockNumber: BigInt(sent.blockNumber) });
  expect(parseEther(sent.feePaid)).toBe(receipt.gasUsed * receipt.effectiveGasPrice);
  expect(parseEther(sent.feePaid)).toBeLessThanOrEqual(parseEther(quoted.fees[0].amount));
  expect((await chain.client.getBalance({ address: RECIPIENT })) - before).toBe(parseEther("0.01"));
  expect(await balanceOf(key)).toMatchObject({ availableCredits: 997, reservedCredits: 0 });

  await chain.mine(2);
  const final = await transactionWith(api, key, sent, "confirmed", ({ finalizedAt }) => finalizedAt !== null);
  expect(final.confirmations).toBe(3);
  const events = await eventsKept(api, accountId);
  expect(events).toContainEqual(
    expect.objectContaining({
      type: "credits.low",
      data: { balance: expect.objectContaining({ totalCredits: 997 }) },
    }),
  );
  const emitted = events.filter(({ type }) => type.startsWith("wallet.transaction."));
  expect(emitted.map(({ type, sequence }) => [type, sequence])).toEqual([
    ["wallet.transaction.reserved", 1],
    ["wallet.transaction.signed", 2],
    ["wallet.transaction.broadcast", 3],
    ["wallet.transaction.confirmed", 4],
  ]);
  const list = await api.send("GET", `/v1/wallets/${wallet.id}/transactions?status=confirmed`, { key });
  expect(list.body.transactions).toEqual([final]);
});

test("keeps the events of an account that begins to listen while its transaction is being sent", async () => {
  const { key, accountId } = await createPayingKey(api, 100);
  const wallet = await createWallet(api, chain, key, { eth: "1" });
  // The transaction is signed and stored before anything is subscribed; later changes emit events, even in the same
  // turn.
  between.asked = (method) => {
    if (method !== "eth_sendRawTransaction") return undefined;
    between.asked = undefined;
    return listen(api, accountId).then(() => undefined);
  };
  await transactionWith(api, key, await send(api, key, wallet.id), "confirmed");
  const emitted = await eventsKept(api, accountId);
  expect(emitted.map(({ type, sequence }) => [type, sequence])).toEqual([
    ["wallet.transaction.broadcast", 1],
    ["wallet.transaction.confirmed", 2],
  ]);
});

test("sends tokens and calls contracts with calldata", async () => {
  const { key } = await createPayingKey(api, 100);
  const wallet = await createWallet(api, chain, key, { eth: "1", usd: "20" });
  const { usd, wrappedNative } = chain.settings.contracts;
  const usdSend = await send(api, key, wallet.id, { ...PLAIN, asset: usd, amount: "12.5" });
  expect(await transactionWith(api, key, usdSend, "confirmed")).toMatchObject({ asset: usd, amount: "12.5" });
  // deposit() of the wrapped native asset.
  const call = { ...PLAIN, to: wrappedNative, amount: "0.5", data: "0xd0e30db0" };
  const wrap = await send(api, key, wallet.id, call);
  expect(await transactionWith(api, key, wrap, "confirmed")).toMatchObject(call);
  const held = await chain.client.multicall({
    allowFailure: false,
    contracts: [usd, wrappedNative].map((address) => ({
      address,
      abi: erc20Abi,
      functionName: "balanceOf",
      args: [wallet.address],
    })),
    multicallAddress: chain.settings.contracts.multicall3,
  });
  expect(held).toEqual([7_500_000n, parseEther("0.5")]);
  const sentTo = async (to: string) =>
    (await api.send("GET", `/v1/wallets/${wallet.id}/transactions?to=${to}`, { key })).body;
  expect((await sentTo(wrappedNative.toLowerCase())).transactions).toMatchObject([call]);
  expect((await sentTo(PLAIN.to)).transactions).toMatchObject([{ asset: usd }]);
  expect((await sentTo("0x12")).error).toMatchObject({ issues: [{ path: "query.to" }] });
});

test("reports a denied send in its quote, and refuses to execute it", async () => {
  const { key } = await createPayingKey(api, 100);
  const policy = { allowedRecipients: [] };
  const wallet = await createWallet(api, chain, key, { eth: "1", usd: "20", policy });
  const { usd: asset } = chain.settings.contracts;
  const quoted = await quote(api, key, wallet.id, { ...PLAIN, asset, amount: "5" });
  expect(quoted.policy).toEqual({ decision: "deny", reasons: [expect.stringContaining(RECIPIENT)] });
  const refused = await execute(api, key, wallet.id, { quoteId: quoted.id });
  expect(refused.body.error).toMatchObject({ status: 403, code: "policy_denied" });
  expect(await balanceOf(key)).toMatchObject({ availableCredits: 100, reservedCredits: 0 });
  const list = await api.send("GET", `/v1/wallets/${wallet.id}/transactions`, { key });
  expect(list.body.transactions).toEqual([]);
});

test("fails unsigned where the wallet has too little, with the reason, and charges nothing", async () => {
  const { key } = await createPayingKey(api, 100);
  const wallet = await createWallet(api, chain, key, { eth: "0.005" });
  const native = await transactionWith(api, key, await send(api, key, wallet.id), "failed");
  const asked = { ...PLAIN, asset: chain.settings.contracts.usd, amount: "1" };
  const token = await transactionWith(api, key, await send(api, key, wallet.id, asked), "failed");
  for (const failed of [native, token])
    expect(failed).toMatchObject({
      hash: null,
      nonce: null,
      attempts: 0,
      chargedCredits: 0,
      signedAt: null,
      failure: { code: "insufficient_funds", message: expect.stringMatching(/too little/) },
    });
  expect(await balanceOf(key)).toMatchObject({ availableCredits: 100, reservedCredits: 0 });
});

test("lets a wallet have each client reference once, over all keys and idempotency keys", async () => {
  const { key } = await createPayingKey(api, 100);
  const wallet = await createWallet(api, chain, key, { eth: "1" });
  const clientReference = unique("invoice");
  const quotes = await Promise.all([quote(api, key, wallet.id), quote(api, key, wallet.id)]);
  const other = await api.createChild(key);
  const answers = await Promise.all([
    execute(api, key, wallet.id, { quoteId: quotes[0].id, clientReference }),
    execute(api, other.key, wallet.id, { quoteId: quotes[1].id, clientReference }),
  ]);
  const [made] = answers.filter(({ status }) => status === 202);
  const [refused] = answers.filter(({ status }) => status === 409);
  expect(refused?.body.error).toMatchObject({
    code: "already_exists",
    message: expect.stringContaining(made?.body.transaction.id),
  });
});

test("sends once under an idempotency key, raced, repeated and used with other input", async () => {
  const { key } = await createPayingKey(api, 1000);
  const wallet = await createWallet(api, chain, key, { eth: "1" });
  const path = `/v1/wallets/${wallet.id}/transactions`;
  const idempotencyKey = unique("raced");
  const [first, other] = [await quote(api, key, wallet.id), await quote(api, key, wallet.id)];
  const create = (quoteId: string) => api.send("POST", path, { key, idempotencyKey, body: { quoteId } });

  const raced = await Promise.all(Array.from({ length: 10 }, () => create(first.id)));
  const [{ id }] = raced.map(({ body }) => body.transaction) as [{ id: string }];
  expect(raced.map(({ status, body }) => [status, body.transaction.id])).toEqual(raced.map(() => [202, id]));
  expect(raced.filter(({ headers }) => headers.get("idempotent-replayed") === null)).toHaveLength(1);
  await transactionWith(api, key, { id, walletId: wallet.id }, "confirmed");
  const repeated = await create(first.id);
  expect(repeated.body).toEqual(raced[0]?.body);
  expect(repeated.headers.get("idempotent-replayed")).toBe("true");
  const reused = await create(other.id);
  expect([reused.status, reused.body.error.code]).toEqual([409, "idempotency_key_reused"]);
  expect(await balanceOf(key)).toMatchObject({ availableCredits: 995, reservedCredits: 0 });
  expect(await chain.client.getTransactionCount({ address: wallet.address })).toBe(1);
});

test("refuses an invalid send, naming the field", async () => {
  const { key } = await createPayingKey(api, 100);
  const wallet = await createWallet(api, chain, key, { eth: "1" });
  const path = `/v1/wallets/${wallet.id}/transactions/quote`;
  const { usd } = chain.settings.contracts;
  const faults = [
    [{ network: "eip155:5" }, "body.network"],
    [{ to: RECIPIENT.replace("C7", "c7") }, "body.to"],
    [{ asset: usd, amount: "0.0000001" }, "body.amount"],
    [{ asset: RECIPIENT }, "body.asset"],
    [{ asset: usd, data: "0x1234" }, "body.data"],
    [{ data: "0x123" }, "body.data"],
  ] as const;
  for (const [changed, field] of faults) {
    const answer = await api.send("POST", path, { key, body: { ...PLAIN, ...changed } });
    expect(answer.body.error).toMatchObject({ status: 400, code: "invalid_request" });
    expect(answer.body.error.issues).toEqual([{ path: field, message: expect.stringMatching(/\.$/) }]);
  }
});

test("reports an executed or expired quote before the policy's current decision", async () => {
  const { key } = await createPayingKey(api, 100);
  const wallet = await createWallet(api, chain, key, { eth: "1" });
  const [used, late] = [await quote(api, key, wallet.id), await quote(api, key, wallet.id)];
  const { id } = (await execute(api, key, wallet.id, { quoteId: used.id })).body.transaction;
  const { client } = api.platform.database;
  await client`update wallets set status = 'frozen' where id = ${uuidOf("wallet", wallet.id)}`;
  await client`update quotes set expires_at = now() where id = ${uuidOf("quote", late.id)}`;
  const again = await execute(api, key, wallet.id, { quoteId: used.id });
  expect(again.body.error).toMatchObject({ status: 409, code: "state_conflict" });
  expect(again.body.error.message).toBe(`Quote ${used.id} was executed: it became ${id}.`);
  const expired = await execute(api, key, wallet.id, { quoteId: late.id });
  expect(expired.body.error).toMatchObject({ status: 410, code: "quote_expired" });
});
