import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { toUuid } from "#server/base/ids.ts";
import { startApi } from "#server/testing/api.ts";
import { signInMember, signUpAndIn } from "#server/testing/console.ts";

const api = await startApi();
type Person = Awaited<ReturnType<typeof signUpAndIn>>;

/** Creates a wallet for each of these end users, so that they are stored. */
async function haveEndUsers(person: Person, ...externalIds: string[]) {
  for (const endUser of externalIds) {
    const made = await person.mutate("wallets.create", { label: "Savings", endUser });
    expect(made.status, JSON.stringify(made.error)).toBe(200);
  }
}

const idsOf = async (person: Pick<Person, "query">, query: object = {}) =>
  (await person.query("endUsers.list", query)).data.endUsers.map(
    ({ externalId }: { externalId: string }) => externalId,
  );

test("lists the account's end users, found by a part of their external id, and sorted by it", async () => {
  const [ada, eve] = [await signUpAndIn(api), await signUpAndIn(api)];
  await haveEndUsers(ada, "customer-b", "Customer-a", "100%");
  await haveEndUsers(eve, "customer-c");
  expect(await idsOf(ada)).toEqual(["100%", "Customer-a", "customer-b"]);
  expect(await idsOf(ada, { search: "CUSTOMER" })).toEqual(["Customer-a", "customer-b"]);
  expect(await idsOf(ada, { search: "%" })).toEqual(["100%"]);
  expect(await idsOf(ada, { externalId: "Customer-a" })).toEqual(["Customer-a"]);
  expect(await idsOf(ada, { externalId: "customer-a" })).toEqual([]);
  expect(await idsOf(ada, { externalId: "customer-c" })).toEqual([]);
  expect(await idsOf(ada, { sort: "-externalId" })).toEqual(["customer-b", "Customer-a", "100%"]);
  const first = (await ada.query("endUsers.list", { sort: "externalId", limit: 2, total: "include" })).data;
  expect(first).toMatchObject({ total: { count: 3, more: false } });
  expect(await idsOf(ada, { sort: "externalId", limit: 2, cursor: first.nextCursor })).toEqual([
    "customer-b",
  ]);
  // A project restricts the resources of end users, not the list of end users.
  const { project } = (await ada.mutate("projects.create", { name: "Shop" })).data;
  const inProject = await ada.query("endUsers.list", {}, { "x-service-project": project.id });
  expect(inProject.data.endUsers).toHaveLength(3);
});

test("reads an end user with the time of the newest call for them", async () => {
  const ada = await signUpAndIn(api);
  const scopes = ["wallets:read"];
  const { secret } = (await ada.mutate("apiKeys.create", { label: "Bound", scopes, endUser: "ada" })).data;
  const [listed] = (await ada.query("endUsers.list")).data.endUsers;
  const read = async () => (await ada.query("endUsers.read", { endUserId: listed.id })).data;
  expect(await read()).toEqual({ endUser: listed, lastSeenAt: null });
  await api.mustSend(200, "GET", "/v1/wallets", { key: secret });
  const { lastSeenAt } = await read();
  expect(lastSeenAt > listed.createdAt).toBe(true);
});

test("lets every role read end users, other accounts none, and nobody one who was erased", async () => {
  const [ada, eve] = [await signUpAndIn(api), await signUpAndIn(api)];
  await haveEndUsers(ada, "customer-81");
  const [{ id: endUserId }] = (await ada.query("endUsers.list")).data.endUsers;
  const viewer = await signInMember(api, ada.accountId, "viewer");
  expect(await idsOf(viewer)).toEqual(["customer-81"]);
  expect((await viewer.query("endUsers.read", { endUserId })).status).toBe(200);
  expect((await eve.query("endUsers.read", { endUserId })).error).toMatchObject({
    code: "not_found",
    message: `No end user ${endUserId}.`,
  });
  await api.platform.database.db.execute(
    sql`update end_users set external_id = null where id = ${defined(toUuid("endUser", endUserId))}::uuid`,
  );
  expect(await idsOf(ada)).toEqual([]);
  expect((await ada.query("endUsers.read", { endUserId })).status).toBe(404);
});

test("serves nothing of end users over the API", async () => {
  const { key } = await api.createRootKey();
  expect((await api.send("GET", "/v1/end-users", { key })).status).toBe(404);
});
