import { bytesToHex, type LocalAccount } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { startApi } from "#server/testing/api.ts";
import { eventsKept, listen } from "#server/testing/events.ts";
import { selectWallets } from "./queries.ts";
import { keyContext, signerOf } from "./signer.ts";

const api = await startApi();
const { db } = api.platform.database;

const create = (key: string, body: Record<string, unknown>, headers = {}) =>
  api.send("POST", "/v1/wallets", { key, body, headers });

test("creates a wallet with an open policy, which is read and listed as it was answered", async () => {
  const { key } = await api.createRootKey();
  const created = await create(key, { label: "Treasury" });
  expect(created.status).toBe(201);
  expect(created.body.wallet).toMatchObject({
    label: "Treasury",
    family: "evm",
    networks: [],
    status: "active",
    projectId: null,
    endUser: null,
    policy: {
      version: 1,
      maxPerTransactionUsd: null,
      dailyLimitUsd: null,
      allowedNetworks: null,
      allowedAssets: null,
      allowedRecipients: null,
      allowedContracts: null,
      signatures: { messages: true, typedDataContracts: null },
      approval: {
        aboveUsd: null,
        always: false,
        requiredApprovals: 1,
        initiatorMayApprove: false,
        approvers: null,
        policyChanges: false,
        expiresInSeconds: 86_400,
      },
    },
  });
  expect(created.body.wallet.address).toMatch(/^0x[0-9a-fA-F]{40}$/);
  const { id } = created.body.wallet;
  expect((await api.send("GET", `/v1/wallets/${id}`, { key })).body.wallet).toEqual(created.body.wallet);
  expect((await api.send("GET", "/v1/wallets", { key })).body.wallets).toEqual([created.body.wallet]);
});

test("lists only one project's wallets", async () => {
  const { key } = await api.createRootKey();
  const { project } = (await api.send("POST", "/v1/projects", { key, body: { name: "Shop" } })).body;
  const other = (await api.send("POST", "/v1/projects", { key, body: { name: "Other" } })).body.project;
  const inProject = { "x-service-project": project.id };
  const { wallet } = (await create(key, { label: "Till" }, inProject)).body;
  await create(key, { label: "Unassigned" });
  const list = (projectId: string, headers = {}) =>
    api.send("GET", `/v1/wallets?projectId=${projectId}`, { key, headers });
  expect((await list(project.id)).body.wallets).toEqual([wallet]);
  expect((await list(other.id)).body.wallets).toEqual([]);
  expect((await list(other.id, inProject)).body.wallets).toEqual([]);
  expect(await list("nothing")).toMatchObject({ status: 200, body: { wallets: [], nextCursor: null } });
});

test("signs with the key whose address a wallet shows, to the bit as viem does", async () => {
  const { key } = await api.createRootKey();
  const { address } = (await create(key, { label: "Signer" })).body.wallet;
  const wallet = defined((await selectWallets(db)).find((row) => row.address === address));
  const signer = signerOf(wallet);
  const viems = await api.platform.vault.use(
    { sealed: wallet.sealedKey, kekId: wallet.kekId },
    keyContext(wallet),
    (bytes) => privateKeyToAccount(bytesToHex(bytes)),
  );
  const typed = {
    domain: { name: "Ether Mail", chainId: 1 },
    types: { Mail: [{ name: "contents", type: "string" }] },
    primaryType: "Mail",
    message: { contents: "Hello" },
  } as const;
  const call = { type: "eip1559", chainId: 31337, to: address, value: 1n, gas: 21_000n } as const;
  const fees = { maxFeePerGas: 2n, maxPriorityFeePerGas: 1n };
  const signed = (account: LocalAccount) =>
    Promise.all([
      account.signTypedData(typed),
      ...Array.from({ length: 40 }, (_, nth) => account.signMessage({ message: `Message ${nth}` })),
      ...Array.from({ length: 40 }, (_, nonce) => account.signTransaction({ ...call, ...fees, nonce })),
    ]);
  expect(viems.address).toBe(address);
  expect(await signed(signer)).toEqual(await signed(viems));
});

test("takes a policy from the start, its addresses with their checksum", async () => {
  const { key } = await api.createRootKey();
  const policy = {
    dailyLimitUsd: "500",
    allowedRecipients: ["0x70997970c51812dc3a010c7d01b50e0d17dc79c8"],
    approval: { aboveUsd: "100", requiredApprovals: 2 },
  };
  const { wallet } = (await create(key, { label: "Capped", policy })).body;
  expect(wallet.policy).toMatchObject({
    version: 1,
    dailyLimitUsd: "500",
    signatures: { messages: true },
    allowedRecipients: ["0x70997970C51812dc3A010C7d01b50e0d17dc79C8"],
    approval: { aboveUsd: "100", requiredApprovals: 2, always: false },
  });
});

test("refuses an address whose checksum is wrong, naming its place", async () => {
  const { key } = await api.createRootKey();
  const policy = { allowedRecipients: ["0x70997970c51812dc3A010C7d01b50e0d17dc79C8"] };
  const { body } = await create(key, { label: "Mistyped", policy });
  expect(body.error).toMatchObject({
    status: 400,
    code: "invalid_request",
    issues: [{ path: "body.policy.allowedRecipients.0" }],
  });
});

test("makes a wallet for the end user that the body names, and for no other than the call acts for", async () => {
  const { key } = await api.createRootKey();
  const named = await create(key, { label: "Ada's", endUser: "ada" });
  expect(named.body.wallet.endUser).toBe("ada");
  const acting = { "x-service-end-user": "ada" };
  const seen = await api.send("GET", "/v1/wallets", { key, headers: acting });
  expect(seen.body.wallets).toEqual([named.body.wallet]);
  const other = await create(key, { label: "Bob's", endUser: "bob" }, acting);
  expect(other.body.error).toMatchObject({ status: 403, code: "end_user_not_allowed" });
});

test("shows a wallet within its project and account only", async () => {
  const { key } = await api.createRootKey();
  const { project } = (await api.send("POST", "/v1/projects", { key, body: { name: "Shop" } })).body;
  const headers = { "x-service-project": project.id };
  const mine = (await create(key, { label: "Shop" }, headers)).body.wallet;
  const other = (await create(key, { label: "Account" })).body.wallet;
  expect(mine.projectId).toBe(project.id);
  expect((await api.send("GET", "/v1/wallets", { key, headers })).body.wallets).toEqual([mine]);
  expect((await api.send("GET", `/v1/wallets/${other.id}`, { key, headers })).status).toBe(404);
  const stranger = await api.createRootKey();
  const refused = await api.send("GET", `/v1/wallets/${mine.id}`, { key: stranger.key });
  expect(refused.body.error).toMatchObject({ status: 404, message: `No wallet ${mine.id}.` });
});

test("emits an event for a new wallet", async () => {
  const { key, accountId } = await api.createRootKey();
  await listen(api, accountId);
  const { wallet } = (await create(key, { label: "Told" })).body;
  expect(await eventsKept(api, accountId)).toMatchObject([{ type: "wallet.created", data: { wallet } }]);
});
