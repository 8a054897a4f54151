import { expect, test } from "vitest";
import { newUuid } from "#server/base/ids.ts";
import { chargeCredits } from "#server/credits/charge-credits.ts";
import { captureHold, holdCredits } from "#server/credits/hold-credits.ts";
import { grantCredits } from "#server/credits/post-credits.ts";
import { emitExpiringKeyEvents } from "#server/keys/emit-expiring-key-events.ts";
import { startApi, unique } from "#server/testing/api.ts";
import { keyCaller } from "#server/testing/callers.ts";
import { eventsKept, listen } from "#server/testing/events.ts";

const api = await startApi();
const { db } = api.platform.database;
const DAY = 86_400_000;

async function createListening() {
  const root = await api.createRootKey();
  await listen(api, root.accountId);
  return root;
}

test("emits an event for each change of a project, and none for an update without changes", async () => {
  const { key, accountId } = await createListening();
  const { id } = (await api.send("POST", "/v1/projects", { key, body: { name: "Shop" } })).body.project;
  await api.send("PATCH", `/v1/projects/${id}`, { key, body: { name: "Store" } });
  await api.send("DELETE", `/v1/projects/${id}`, { key });
  await api.send("DELETE", `/v1/projects/${id}`, { key });
  expect(await eventsKept(api, accountId)).toMatchObject([
    { type: "project.created", sequence: 1, projectId: id, data: { project: { id, name: "Shop" } } },
    { type: "project.updated", sequence: 2, data: { project: { name: "Store" } } },
    { type: "project.archived", sequence: 3, data: { project: { status: "archived" } } },
  ]);
});

test("emits one event for a call that is repeated under its idempotency key", async () => {
  const { key, accountId } = await createListening();
  const call = { key, idempotencyKey: unique("repeated"), body: { name: "Shop" } };
  await Promise.all([1, 2, 3].map(() => api.send("POST", "/v1/projects", call)));
  expect(await eventsKept(api, accountId)).toHaveLength(1);
});

test("emits events for created and revoked keys, never with a secret", async () => {
  const { key, accountId } = await createListening();
  const child = await api.createChild(key);
  const grandchild = await api.createChild(child.key);
  await api.send("DELETE", `/v1/api-keys/${child.apiKey.id}`, { key });
  await api.send("DELETE", `/v1/api-keys/${child.apiKey.id}`, { key });
  const events = await eventsKept(api, accountId);
  expect(events).toMatchObject([
    { type: "api_key.created", data: { apiKey: { id: child.apiKey.id, status: "active" } } },
    { type: "api_key.created", data: { apiKey: { id: grandchild.apiKey.id } } },
    { type: "api_key.revoked", data: { apiKey: { id: child.apiKey.id, status: "revoked" } } },
  ]);
  expect(JSON.stringify(events)).not.toContain(child.key);
});

test("emits one event for a key that is about to expire", async () => {
  const { key, accountId } = await createListening();
  const expiresAt = (days: number) => new Date(Date.now() + days * DAY).toISOString();
  await api.createChild(key, { expiresAt: expiresAt(26) });
  const soon = await api.createChild(key, { expiresAt: expiresAt(20) });
  const later = new Date(Date.now() + 16 * DAY);
  await emitExpiringKeyEvents(db, later);
  await emitExpiringKeyEvents(db, later);
  const events = (await eventsKept(api, accountId)).filter(({ type }) => type === "api_key.expiring");
  expect(events.map(({ data }) => data.apiKey.id)).toEqual([soon.apiKey.id]);
});

test("emits events when credits arrive, run low and run out, once per crossing", async () => {
  const { accountId, apiKey } = await createListening();
  const caller = keyCaller(accountId, [apiKey.id]);
  const grant = { accountId, credits: 1_500, reference: "grant", description: "For a test" };
  await db.transaction((tx) => grantCredits(tx, grant));
  await db.transaction((tx) => grantCredits(tx, grant));
  const charge = (credits: number) => ({
    caller,
    selectors: ["services.invoke"],
    credits,
    description: "A call",
    priceVersion: "test",
    requestId: newUuid(),
  });
  for (const credits of [499, 2, 9]) await db.transaction((tx) => chargeCredits(tx, charge(credits)));
  await db.transaction(async (tx) => {
    const hold = await holdCredits(tx, newUuid(), charge(990));
    await captureHold(tx, hold, 990, 1);
  });
  expect(await eventsKept(api, accountId)).toMatchObject([
    { type: "credits.topped_up", data: { creditedCredits: 1_500, balance: { totalCredits: 1_500 } } },
    { type: "credits.low", data: { balance: { totalCredits: 999 } } },
    { type: "credits.exhausted", sequence: 3, data: { balance: { totalCredits: 0 } } },
  ]);
});
