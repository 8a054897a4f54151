import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { quotes } from "#db/schema/quotes.ts";
import { workflowVersions } from "#db/schema/workflows.ts";
import { defined } from "#server/base/defined.ts";
import { signInMember, signUpAndIn } from "#server/testing/console.ts";
import { connectApp, startOAuthApi } from "#server/testing/oauth.ts";
import { createResource } from "#server/testing/resources.ts";
import { type Person, search } from "#server/testing/search.ts";

const api = await startOAuthApi();
const { db } = api.platform.database;
const eve = await signUpAndIn(api);

const invoke = async (person: Person, serviceId: string, operationId: string, input: object) => {
  const answer = await person.mutate("services.invoke", { serviceId, operationId, input });
  expect(answer.status, JSON.stringify(answer.error)).toBe(200);
  return answer.data.result;
};

async function createKey(person: Person): Promise<string> {
  const scopes = ["projects:read", "wallets:read", "wallets:create", "wallets:transact"];
  return (await person.mutate("apiKeys.create", { label: "Root", scopes })).data.secret;
}

/** Expects that each text finds exactly this resource, and nothing in another account. */
async function expectFound(person: Person, texts: readonly string[], found: object) {
  for (const text of texts) {
    expect(await search(person, text), text).toMatchObject([found]);
    expect(await search(eve, text), text).toEqual([]);
  }
}

test("finds a memory by its name and id, also one of an end user", async () => {
  const ada = await signUpAndIn(api);
  const input = { name: "Greeting in Welsh", content: "Bore da" };
  const { memory } = await invoke(ada, "managed-memory", "put", input);
  const found = { kind: "memory", id: memory.id, label: "Greeting in Welsh", parentId: null };
  await expectFound(ada, [memory.id, memory.id.slice(-7), "in wels"], found);
  const scopes = ["services:invoke"];
  const { secret } = (await ada.mutate("apiKeys.create", { label: "Bound", scopes, endUser: "bob" })).data;
  const body = { operationId: "put", input: { name: "Greeting in Frisian", content: "Moin" } };
  const path = "/v1/services/managed-memory/invoke";
  const theirs = (await api.mustSend(200, "POST", path, { key: secret, body })).result.memory.id;
  await expectFound(ada, [theirs, theirs.slice(-7), "in fris"], { kind: "memory", id: theirs });
  const viewer = await signInMember(api, ada.accountId, "viewer");
  expect(await search(viewer, memory.id)).toEqual([]);
});

test("finds an end user by the customer's own id of theirs", async () => {
  const ada = await signUpAndIn(api);
  await ada.mutate("wallets.create", { label: "Savings", endUser: "customer-of-leeds" });
  const [found] = await search(ada, "customer-of");
  const { id } = defined(found);
  await expectFound(ada, [id, id.slice(-7), "of-leeds"], { kind: "endUser", id, label: "customer-of-leeds" });
  // End users belong to the account: they are found in each of its projects.
  const { project } = (await ada.mutate("projects.create", { name: "Shop" })).data;
  const headers = { "x-service-project": project.id };
  const inProject = await ada.query("search.list", { query: "customer-of" }, headers);
  expect(inProject.data.found).toMatchObject([{ kind: "endUser", id }]);
});

test("finds a connected app by its name and id, for admins", async () => {
  const ada = await signUpAndIn(api);
  const app = await connectApp(api, { resource: "/v1" });
  const id = app.client.client_id;
  expect(await search(ada, id)).toEqual([]);
  await app.redeem(await app.allow(ada));
  await expectFound(ada, [id, id.slice(-9)], { kind: "app", id, label: "Notes" });
  const developer = await signInMember(api, ada.accountId, "developer");
  expect(await search(developer, id)).toEqual([]);
});

test("finds an invitation that waits by its address, for owners", async () => {
  const ada = await signUpAndIn(api);
  const { invitation } = (
    await ada.mutate("invitations.create", { email: "grace@leeds.test", role: "viewer" })
  ).data;
  const found = { kind: "invitation", id: invitation.id, label: "grace@leeds.test" };
  await expectFound(ada, [invitation.id, "@leeds"], found);
  const admin = await signInMember(api, ada.accountId, "admin");
  expect(await search(admin, "@leeds")).toEqual([]);
  await ada.mutate("invitations.revoke", { invitationId: invitation.id });
  expect(await search(ada, invitation.id)).toEqual([]);
});

test("finds a sent event by its id and name, with the trigger that it has started", async () => {
  const ada = await signUpAndIn(api);
  const start = { serviceId: "managed-memory", operationId: "put", input: { content: "Tea" } };
  const on = { event: "parcel.lost" };
  const { trigger } = await invoke(ada, "managed-triggers", "put", { name: "refunds", on, start });
  const { eventId } = await invoke(ada, "managed-events", "send", { name: "parcel.lost", data: {} });
  const found = { kind: "sentEvent", id: eventId, label: "parcel.lost", parentId: trigger.id };
  await expectFound(ada, [eventId, "parcel.lo"], found);
});

test("finds the platform's events by a part of their names", async () => {
  const found = await search(eve, "deposit.conf");
  expect(found).toMatchObject([{ kind: "event", id: "wallet.deposit.confirmed" }]);
});

test("finds the resource that shows one without a page: the result of a quote, and a version's workflow", async () => {
  const ada = await signUpAndIn(api);
  const key = await createKey(ada);
  const [quote, order] = [
    await createResource(api, key, "quoteId"),
    await createResource(api, key, "orderId"),
  ];
  expect(await search(ada, quote)).toEqual([]);
  await db.update(quotes).set({ usedBy: order }).where(eq(quotes.id, quote));
  await expectFound(ada, [quote], { kind: "order", id: order });
  const steps = [{ id: "pause", type: "wait", seconds: 0 }];
  const stored = { name: "restock", workflow: { name: "Restock", steps } };
  const { workflow } = await invoke(ada, "managed-workflows", "put", stored);
  const [version] = await db
    .select()
    .from(workflowVersions)
    .where(eq(workflowVersions.workflowId, workflow.id));
  await expectFound(ada, [defined(version).id], { kind: "workflow", id: workflow.id });
});

test("finds the entry of the ledger with a receipt's id", async () => {
  const ada = await signUpAndIn(api);
  const { entries } = (await ada.query("credits.ledger.list", {})).data;
  const { id } = entries[0];
  await expectFound(ada, [id], { kind: "receipt", id });
});

test("finds a wallet by a part of its address, and a transaction by its sender", async () => {
  const ada = await signUpAndIn(api);
  const key = await createKey(ada);
  const { wallet } = (await ada.mutate("wallets.create", { label: "Treasury" })).data;
  const found = { kind: "wallet", id: wallet.id };
  const { address } = wallet;
  await expectFound(
    ada,
    [address, address.slice(9, 19), `${address.slice(0, 8)}…${address.slice(-6)}`],
    found,
  );
  const id = await createResource(api, key, "transactionId");
  await expectFound(ada, [id, id.slice(-8)], { kind: "transaction", id });
  const [another] = await search(ada, "another");
  const from = defined(defined(another).detail);
  for (const text of [from, from.toLowerCase()])
    expect(await search(ada, text), text).toMatchObject([{ kind: "wallet" }, { kind: "transaction", id }]);
  expect(await search(eve, from)).toEqual([]);
});
