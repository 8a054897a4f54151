import { expect, test } from "vitest";
import { walletTransactions } from "#db/schema/transactions.ts";
import { idOf, newUuidAt } from "#server/base/ids.ts";
import { startApi } from "#server/testing/api.ts";
import { signInMember, signUpAndIn } from "#server/testing/console.ts";
import { SILENT_CHAIN, SILENT_USD } from "#server/testing/silent-chain.ts";

const ADA = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const BOB = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

const api = await startApi({ settings: { chains: [SILENT_CHAIN] } });
type Person = Awaited<ReturnType<typeof signUpAndIn>>;

const create = async (person: Pick<Person, "mutate">, name: string, address: string) =>
  (await person.mutate("wallets.contacts.create", { name, address })).data.contact;
const namesOf = async (person: Pick<Person, "query">, ...addresses: string[]) =>
  (await person.query("wallets.addressNames.list", { addresses: addresses.join() })).data.names;

test("stores a contact with its address' checksum until it is deleted", async () => {
  const owner = await signUpAndIn(api);
  const made = await owner.mutate("wallets.contacts.create", { name: "Payroll", address: ADA.toLowerCase() });
  expect(made.data.contact).toMatchObject({
    name: "Payroll",
    address: ADA,
    note: null,
    firstUsedAt: null,
    lastUsedAt: null,
    projectId: null,
    endUser: null,
  });
  const contactId = made.data.contact.id;
  const changed = await owner.mutate("wallets.contacts.update", {
    contactId,
    name: "Wages",
    note: "Monthly",
  });
  expect(changed.data.contact).toMatchObject({ name: "Wages", address: ADA, note: "Monthly" });
  expect((await owner.query("wallets.contacts.read", { contactId })).data.contact).toEqual(
    changed.data.contact,
  );
  await owner.mutate("wallets.contacts.delete", { contactId });
  expect((await owner.query("wallets.contacts.read", { contactId })).status).toBe(404);
  expect((await owner.query("wallets.contacts.list")).data.contacts).toEqual([]);
});

test("refuses wrong checksums, blank and long names, and characters that change the direction of text", async () => {
  const owner = await signUpAndIn(api);
  const refused = async (name: string, address: string) =>
    (await owner.mutate("wallets.contacts.create", { name, address })).error?.code;
  expect(await refused("Payroll", ADA.replace("3C", "3c"))).toBe("invalid_request");
  expect(await refused(" ", ADA)).toBe("invalid_request");
  expect(await refused("a".repeat(201), ADA)).toBe("invalid_request");
  expect(await refused("Pay\u202eroll", ADA)).toBe("invalid_request");
  expect((await create(owner, "ر".repeat(200), ADA)).name).toHaveLength(200);
});

test("gives an address one name in each space, even under concurrent requests", async () => {
  const owner = await signUpAndIn(api);
  const asked = await Promise.all(
    ["One", "Two", "Three"].map((name) => owner.mutate("wallets.contacts.create", { name, address: ADA })),
  );
  expect(asked.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  const other = await create(owner, "Other", BOB);
  const moved = await owner.mutate("wallets.contacts.update", { contactId: other.id, address: ADA });
  expect(moved.error).toMatchObject({ code: "already_exists", message: expect.stringContaining(ADA) });
  const { id } = (await owner.mutate("projects.create", { name: "Shop" })).data.project;
  const inProject = await owner.mutate(
    "wallets.contacts.create",
    { name: "Shop's", address: ADA },
    { "x-service-project": id },
  );
  expect(inProject.data.contact).toMatchObject({ projectId: id });
});

test("finds a contact by a part of its name or address, and by its address in the global search", async () => {
  const owner = await signUpAndIn(api);
  const payroll = await create(owner, "Payroll 100%", ADA);
  await create(owner, "Landlord", BOB);
  const listed = async (search: string) =>
    (await owner.query("wallets.contacts.list", { search })).data.contacts.map(
      ({ name }: { name: string }) => name,
    );
  expect(await listed("0%")).toEqual(["Payroll 100%"]);
  expect(await listed("0x7099")).toEqual(["Landlord"]);
  for (const query of ["payr", ADA.toLowerCase()])
    expect((await owner.query("search.list", { query })).data.found).toMatchObject([
      { kind: "contact", id: payroll.id, label: "Payroll 100%", detail: ADA },
    ]);
});

test("returns when an address was first and last sent to", async () => {
  const owner = await signUpAndIn(api);
  const contact = await create(owner, "Payroll", ADA);
  const { wallet } = (await owner.mutate("wallets.create", { label: "Treasury" })).data;
  const at = (hour: number) => new Date(Date.UTC(2026, 0, 1, hour));
  const sent = (hour: number, status: "confirmed" | "failed", to: string = ADA) =>
    api.platform.database.db.insert(walletTransactions).values({
      accountId: owner.accountId,
      walletId: wallet.id,
      id: idOf("transaction", newUuidAt(at(hour))),
      network: "eip155:31337",
      direction: "out",
      status,
      from: wallet.address,
      to,
      asset: "native",
      amount: "1",
    });
  await sent(1, "failed");
  await sent(2, "confirmed");
  await sent(3, "confirmed");
  await sent(4, "failed");
  await sent(5, "confirmed", BOB);
  const { data } = await owner.query("wallets.contacts.read", { contactId: contact.id });
  expect(data.contact).toMatchObject({
    firstUsedAt: at(2).toISOString(),
    lastUsedAt: at(3).toISOString(),
  });
});

test("names own wallets, contacts and known contracts, and nothing of another account", async () => {
  const owner = await signUpAndIn(api);
  const stranger = await signUpAndIn(api);
  const contact = await create(owner, "Payroll", ADA);
  await create(stranger, "Theirs", BOB);
  const { wallet } = (await owner.mutate("wallets.create", { label: "Treasury" })).data;
  await create(owner, "Not its name", wallet.address);
  expect(await namesOf(owner, BOB, wallet.address, SILENT_USD, ADA.toLowerCase(), "nonsense")).toEqual([
    { address: wallet.address, kind: "wallet", id: wallet.id, name: "Treasury" },
    { address: SILENT_USD, kind: "contract", id: null, name: "USD token" },
    { address: ADA, kind: "contact", id: contact.id, name: "Payroll" },
  ]);
  expect(await namesOf(stranger, ADA, wallet.address)).toEqual([]);
  const contactId = contact.id;
  expect((await stranger.query("wallets.contacts.read", { contactId })).status).toBe(404);
  expect((await stranger.mutate("wallets.contacts.update", { contactId, name: "Mine" })).status).toBe(404);
  expect((await stranger.mutate("wallets.contacts.delete", { contactId })).status).toBe(404);
  expect((await owner.query("wallets.contacts.read", { contactId })).data.contact.name).toBe("Payroll");
});

test("lists the contracts from which a policy can be picked, with their functions that change state", async () => {
  const viewer = await signInMember(api, (await signUpAndIn(api)).accountId, "viewer");
  const { contracts } = (await viewer.query("wallets.contracts.list", {})).data;
  const names = contracts.map(({ name }: { name: string }) => name);
  expect(names).toEqual(["Wrapped ETH", "USD token", "Permit2"]);
  const usd = contracts.find(({ name }: { name: string }) => name === "USD token");
  expect(usd).toMatchObject({ network: "eip155:31337", address: SILENT_USD });
  expect(usd.methods.slice(0, 3)).toEqual(["transfer", "transferFrom", "approve"]);
  expect(usd.methods.filter((method: string) => method === "permit")).toHaveLength(1);
});

test("lets only callers who may move money name addresses that approvers read", async () => {
  const owner = await signUpAndIn(api);
  await create(owner, "Payroll", ADA);
  for (const role of ["viewer", "developer", "approver"] as const) {
    const member = await signInMember(api, owner.accountId, role);
    expect((await member.mutate("wallets.contacts.create", { name: "Attacker", address: BOB })).status).toBe(
      403,
    );
    expect(await namesOf(member, ADA)).toMatchObject([{ name: "Payroll" }]);
  }
  const admin = await signInMember(api, owner.accountId, "admin");
  expect((await create(admin, "Landlord", BOB)).name).toBe("Landlord");
});
