import { verifyMessage, verifyTypedData } from "viem";
import { expect, test } from "vitest";
import { startApi, unique } from "#server/testing/api.ts";
import { SILENT_CHAIN, SILENT_USD as USD } from "#server/testing/silent-chain.ts";

const ADA = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const PERMIT2 = "0x000000000022D473030F116dDEE9F6B43aC78BA3";

// Signing does not call the chain.
const api = await startApi({ settings: { chains: [SILENT_CHAIN] } });

async function makeWallet(policy: Record<string, unknown> = {}) {
  const { key } = await api.createRootKey();
  const { wallet } = (await api.send("POST", "/v1/wallets", { key, body: { label: "Signer", policy } })).body;
  return { key, wallet };
}

type Owned = Awaited<ReturnType<typeof makeWallet>>;

const quote = ({ key, wallet }: Owned, body: object) =>
  api.send("POST", `/v1/wallets/${wallet.id}/signatures/quote`, { key, body });
const create = ({ key, wallet }: Owned, quoteId: string) =>
  api.send("POST", `/v1/wallets/${wallet.id}/signatures`, { key, body: { quoteId } });

const MAIL = {
  domain: { name: "Ether Mail", version: "1", chainId: 31337, verifyingContract: ADA },
  types: {
    Person: [
      { name: "name", type: "string" },
      { name: "wallets", type: "address[]" },
    ],
    Mail: [
      { name: "to", type: "Person" },
      { name: "nonce", type: "uint256" },
      { name: "paid", type: "int64" },
      { name: "tag", type: "bytes4" },
    ],
  },
  primaryType: "Mail",
  message: {
    to: { name: "Bob", wallets: [ADA, USD] },
    nonce: "9007199254740993",
    paid: -3,
    tag: "0xdeadbeef",
  },
};

const typed = (typedData: object) => ({ kind: "typed_data", typedData });

/** Returns a permit of test USD for so many units. */
const permit = (value: string, domain: object = { chainId: 31337, verifyingContract: USD }) =>
  typed({
    domain: { name: "Test USD", version: "1", ...domain },
    types: {
      Permit: ["owner", "spender", "value", "nonce", "deadline"].map((name, index) => ({
        name,
        type: index < 2 ? "address" : "uint256",
      })),
    },
    primaryType: "Permit",
    message: { owner: USD, spender: ADA, value, nonce: 0, deadline: 1893456000 },
  });

test("refuses typed data whose types, hashed with each struct, would hold up everybody", async () => {
  const fields = Array.from({ length: 100 }, (_, nth) => ({
    name: `${"f".repeat(90)}${nth}`,
    type: "uint256",
  }));
  const types = {
    List: [{ name: "items", type: "Item[]" }],
    Item: [{ name: "larges", type: "Large[]" }],
    Large: fields,
  };
  const items = Array.from({ length: 50_000 }, () => ({ larges: [] }));
  const body = typed({ domain: { name: "List" }, types, primaryType: "List", message: { items } });
  const { status, body: answer } = await quote(await makeWallet(), body);
  expect([status, answer.error.issues]).toEqual([
    400,
    [{ path: "body.typedData.message", message: expect.stringMatching(/^More than 131072 characters/) }],
  ]);
});

test("signs a message that anybody verifies, once for its quote", async () => {
  const owned = await makeWallet();
  const message = "I own this wallet.\nNonce: 7";
  const quoted = await quote(owned, { kind: "message", message });
  expect(quoted.status).toBe(201);
  expect(quoted.body.quote).toMatchObject({
    kind: "signature",
    expected: null,
    minimum: null,
    fees: [],
    chargedCredits: 0,
    policy: { decision: "allow", reasons: [] },
  });
  const { status, body } = await create(owned, quoted.body.quote.id);
  expect(status).toBe(201);
  const { signature, display, ...facts } = body.signature;
  expect(facts).toMatchObject({
    walletId: owned.wallet.id,
    status: "signed",
    approvalId: null,
    kind: "message",
  });
  expect(display.fields).toEqual([{ name: "message", value: message }]);
  expect(await verifyMessage({ address: owned.wallet.address, message, signature })).toBe(true);
  expect((await create(owned, quoted.body.quote.id)).body.error).toMatchObject({
    code: "state_conflict",
  });
});

test("signs typed data exactly, and shows all of it", async () => {
  const owned = await makeWallet();
  const { id } = (await quote(owned, typed(MAIL))).body.quote;
  const { signature, display, payloadHash } = (await create(owned, id)).body.signature;
  const { to, tag } = MAIL.message;
  expect(
    await verifyTypedData({
      address: owned.wallet.address,
      signature,
      domain: MAIL.domain as never,
      types: MAIL.types,
      primaryType: "Mail",
      message: { to, tag, nonce: 9007199254740993n, paid: -3n } as never,
    }),
  ).toBe(true);
  expect(payloadHash).toMatch(/^0x[0-9a-f]{64}$/);
  expect(display.fields).toEqual([
    { name: "domain.name", value: "Ether Mail" },
    { name: "domain.version", value: "1" },
    { name: "domain.chainId", value: "31337" },
    { name: "domain.verifyingContract", value: ADA },
    { name: "message.to.name", value: "Bob" },
    { name: "message.to.wallets.0", value: ADA },
    { name: "message.to.wallets.1", value: USD },
    { name: "message.nonce", value: "9007199254740993" },
    { name: "message.paid", value: "-3" },
    { name: "message.tag", value: "0xdeadbeef" },
  ]);
});

test("refuses typed data whose values do not match its types, naming each", async () => {
  const owned = await makeWallet();
  const { message, types, domain } = MAIL;
  const faulty: [change: object, path: string][] = [
    [{ primaryType: "Letter" }, "body.typedData.primaryType"],
    [{ message: { ...message, nonce: "-1" } }, "body.typedData.message.nonce"],
    [{ message: { ...message, nonce: 2 ** 60 } }, "body.typedData.message.nonce"],
    [{ message: { ...message, tag: "0xdead" } }, "body.typedData.message.tag"],
    [{ message: { ...message, hidden: 1 } }, "body.typedData.message.hidden"],
    [
      { message: { ...message, to: { ...message.to, wallets: [ADA.replace("C44", "c44")] } } },
      "body.typedData.message.to.wallets.0",
    ],
    [{ message: { ...message, to: { name: "Bob" } } }, "body.typedData.message.to.wallets"],
    [{ types: { ...types, Person: [{ name: "name", type: "text" }] } }, "body.typedData.types.Person.0.type"],
    [{ primaryType: "constructor" }, "body.typedData.primaryType"],
    [
      { types: { ...types, Person: [{ name: "x", type: "toString" }] } },
      "body.typedData.types.Person.0.type",
    ],
    [
      { types: { ...types, EIP712Domain: [{ name: "name", type: "string" }] } },
      "body.typedData.types.EIP712Domain",
    ],
    [{ domain: { ...domain, verifyingContract: "0x12" } }, "body.typedData.domain.verifyingContract"],
  ];
  for (const [change, path] of faulty) {
    const { status, body } = await quote(owned, typed({ ...MAIL, ...change }));
    expect([status, body.error.issues[0].path]).toEqual([400, path]);
  }
  const both = await quote(owned, { kind: "message", message: "a", typedData: MAIL });
  expect([both.status, both.body.error.issues[0].path]).toEqual([400, "body.typedData"]);
  const neither = await quote(owned, { kind: "typed_data" });
  expect(neither.body.error.issues[0].path).toBe("body.typedData");
});

test("counts permits as spending, by amount, by spender, by network and by the day", async () => {
  const capped = await makeWallet({ dailyLimitUsd: "300", maxPerTransactionUsd: "250" });
  const deny = async (owned: Owned, body: object) => {
    const { policy, id } = (await quote(owned, body)).body.quote;
    const refused = await create(owned, id);
    return [policy.decision, refused.status, refused.body.error.code];
  };
  const denied = ["deny", 403, "policy_denied"];
  const { id } = (await quote(capped, permit("200000000"))).body.quote;
  const made = await create(capped, id);
  expect([made.status, made.body.signature.display.summary]).toEqual([
    201,
    `Sign Permit of "Test USD": Let ${ADA} spend 200 USD, 66% of today's cap.`,
  ]);
  // The rest of the day's limit and no more; any amount exceeds every cap.
  expect(await deny(capped, permit("100000001"))).toEqual(denied);
  expect(await deny(capped, permit("250000001"))).toEqual(denied);
  expect(await deny(capped, permit(String(2n ** 256n - 1n)))).toEqual(denied);
  // Its value or effect cannot be determined.
  expect(await deny(capped, permit("1", { chainId: 999, verifyingContract: USD }))).toEqual(denied);
  expect(await deny(capped, permit("1", { verifyingContract: USD }))).toEqual(denied);
  expect(await deny(capped, typed(MAIL))).toEqual(denied);

  const strangers = await makeWallet({ allowedRecipients: [USD] });
  expect(await deny(strangers, permit("1"))).toEqual(denied);
  const elsewhere = await makeWallet({ allowedNetworks: ["eip155:31337"] });
  expect(await deny(elsewhere, permit("1", { chainId: 1, verifyingContract: USD }))).toEqual(denied);
  expect(await deny(elsewhere, permit("1", { verifyingContract: USD }))).toEqual(denied);
  const listed = await makeWallet({ signatures: { typedDataContracts: [PERMIT2] } });
  expect(await deny(listed, permit("1"))).toEqual(denied);
  const silent = await makeWallet({ signatures: { messages: false } });
  expect(await deny(silent, { kind: "message", message: "Hello" })).toEqual(denied);
});

test("is missing for another wallet and another account", async () => {
  const [one, two] = [await makeWallet(), await makeWallet()];
  const { id } = (await quote(one, { kind: "message", message: unique("mine") })).body.quote;
  expect((await create(two, id)).status).toBe(404);
  expect((await create({ key: two.key, wallet: one.wallet }, id)).status).toBe(404);
});
