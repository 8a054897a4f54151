import { expect, test } from "vitest";
import { emitEvent } from "#server/events/emit-event.ts";
import { startApi } from "#server/testing/api.ts";
import { createWebhook, makeEvent, queuedFor } from "#server/testing/webhooks.ts";
import { relayBatch } from "./relay.ts";

const api = await startApi();
const { client, db } = api.platform.database;
const URL_ = "https://example.com/hook";

test("sends the events that a webhook subscribes to, and none while it is paused", async () => {
  const { key } = await api.createRootKey();
  const some = await createWebhook(api, key, URL_, ["api_key.created", "project.*"]);
  const all = await createWebhook(api, key, URL_);
  const id = await makeEvent(api, key);
  await relayBatch(client);
  await api.send("PATCH", `/v1/webhooks/${some.webhook.id}`, { key, body: { status: "paused" } });
  await api.send("DELETE", `/v1/projects/${id}`, { key });
  const child = await api.createChild(key);
  await api.send("DELETE", `/v1/api-keys/${child.apiKey.id}`, { key });
  expect(await queuedFor(api, key, some.webhook.id)).toEqual(["project.created"]);
  expect(await queuedFor(api, key, all.webhook.id)).toEqual([
    "project.created",
    "project.archived",
    "api_key.created",
    "api_key.revoked",
  ]);
});

test("sends only events that the owner key could read: by scope, project and branch", async () => {
  const { key } = await api.createRootKey();
  const project = await makeEvent(api, key, "Bound");
  const scopes = ["projects:read", "webhooks:read", "webhooks:write", "api_keys:manage"];
  const blind = await api.createChild(key, { scopes: scopes.slice(1) });
  const bound = await api.createChild(key, { scopes, projectId: project });
  const branch = await api.createChild(key, { scopes });
  const hooks = [];
  for (const by of [blind, bound, branch]) hooks.push(await createWebhook(api, by.key, URL_));
  await makeEvent(api, key, "Other");
  await api.send("PATCH", `/v1/projects/${project}`, { key, body: { name: "Renamed" } });
  await api.createChild(key, { scopes: [] });
  await api.createChild(branch.key, { scopes: [] });
  const queued = [];
  for (const { webhook } of hooks) queued.push(await queuedFor(api, key, webhook.id));
  expect(queued).toEqual([
    [],
    ["project.updated"],
    ["project.created", "project.updated", "api_key.created"],
  ]);
});

test("sends a service's events to keys that reach it, and to all keys above them", async () => {
  const { key, accountId } = await api.createRootKey();
  const narrow = await api.createChild(key, { allowedServices: ["managed-agents"] });
  const below = await api.createChild(narrow.key);
  const wide = await createWebhook(api, key, URL_);
  const hidden = await createWebhook(api, below.key, URL_);
  const project = (await api.send("POST", "/v1/projects", { key, body: { name: "Shop" } })).body.project;
  await db.transaction((tx) =>
    emitEvent(tx, {
      type: "project.updated",
      accountId,
      projectId: project.id,
      endUserId: null,
      resource: project.id,
      serviceId: "managed-memory",
      data: { project },
    }),
  );
  expect(await queuedFor(api, key, wide.webhook.id)).toEqual(["project.created", "project.updated"]);
  expect(await queuedFor(api, key, hidden.webhook.id)).toEqual(["project.created"]);
});

test("stops at once when the owner key ends, though further events would match", async () => {
  const { key } = await api.createRootKey();
  const [revoked, expired] = [await api.createChild(key), await api.createChild(key)];
  const hooks = [await createWebhook(api, revoked.key, URL_), await createWebhook(api, expired.key, URL_)];
  await api.send("DELETE", `/v1/api-keys/${revoked.apiKey.id}`, { key });
  await client`update api_keys set expires_at = now() where prefix = ${expired.key.slice(0, 15)}`;
  await makeEvent(api, key);
  for (const { webhook } of hooks)
    expect(await queuedFor(api, key, webhook.id)).not.toContain("project.created");
});

test("cancels pending deliveries when a webhook is disabled, and recovers them on request after counting them", async () => {
  const { key } = await api.createRootKey();
  const { webhook } = await createWebhook(api, key, URL_, ["project.*"]);
  const path = `/v1/webhooks/${webhook.id}`;
  const update = (status: string) => api.send("PATCH", path, { key, body: { status } });
  const recover = () => api.send("POST", `${path}/recover`, { key, body: { since } });
  const missed = async () => (await api.send("GET", `${path}/missed?since=${since}`, { key })).body.events;
  const since = new Date(Date.now() - 60_000).toISOString();
  await makeEvent(api, key, "Waiting");
  await relayBatch(client);
  await update("paused");
  await makeEvent(api, key, "Paused");
  await relayBatch(client);
  await api.send("DELETE", path, { key });
  const abandoned = await api.send("GET", "/v1/webhook-deliveries?status=abandoned", { key });
  expect(abandoned.body.deliveries).toHaveLength(1);
  expect((await recover()).body.error.code).toBe("state_conflict");
  await update("active");
  expect((await api.send("GET", path, { key })).body.webhook).toMatchObject({
    id: webhook.id,
    status: "active",
  });
  expect(await missed()).toBe(2);
  const answers = await Promise.all([recover(), recover()]);
  expect(answers.map(({ status }) => status)).toEqual([202, 202]);
  expect(answers.map(({ body }) => body.deliveries).sort()).toEqual([0, 2]);
  expect(await missed()).toBe(0);
});

test("sends a test event only to the tested webhook", async () => {
  const { key } = await api.createRootKey();
  const tested = await createWebhook(api, key, URL_, ["project.created"]);
  const other = await createWebhook(api, key, URL_);
  const sent = await api.send("POST", `/v1/webhooks/${tested.webhook.id}/test`, { key, body: {} });
  expect(sent.status).toBe(202);
  expect(sent.body.delivery).toMatchObject({ event: "webhook.test", status: "pending", attempts: [] });
  expect(await queuedFor(api, key, tested.webhook.id)).toEqual(["webhook.test"]);
  expect(await queuedFor(api, key, other.webhook.id)).toEqual([]);
  const path = `/v1/webhook-deliveries/${sent.body.delivery.id}`;
  const read = (await api.send("GET", path, { key })).body;
  expect(read.delivery.id).toBe(sent.body.delivery.id);
  expect(JSON.parse(read.payload)).toMatchObject({
    id: read.delivery.eventId,
    type: "webhook.test",
    data: { webhook: { id: tested.webhook.id } },
  });
});

test("relays each event once, however many relays there are", async () => {
  const { key } = await api.createRootKey();
  const { webhook } = await createWebhook(api, key, URL_, ["project.created"]);
  for (let nth = 0; nth < 30; nth += 1) await makeEvent(api, key);
  const pools = [api.open(), api.open(), api.open()];
  await Promise.all(pools.flatMap(({ client }) => [relayBatch(client), relayBatch(client)]));
  await Promise.all(pools.map((pool) => pool.close()));
  expect(await queuedFor(api, key, webhook.id)).toHaveLength(30);
});
