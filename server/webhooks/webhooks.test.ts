import { expect, test } from "vitest";
import { uuidOf } from "#server/base/ids.ts";
import { startApi, unique } from "#server/testing/api.ts";
import { signInMember } from "#server/testing/console.ts";
import { createWebhook, makeEvent } from "#server/testing/webhooks.ts";
import { disableExpiredWebhooks } from "./disable-expired-webhooks.ts";
import { handleFailures } from "./handle-failures.ts";
import { nextAttemptAt } from "./schedule.ts";

const api = await startApi();
const { client, db } = api.platform.database;
const URL_ = "https://example.com/hook";
const DAY = 86_400_000;

const webhooksOf = async (key: string) => (await api.send("GET", "/v1/webhooks", { key })).body.webhooks;
const patch = (key: string, id: string, body: unknown) =>
  api.send("PATCH", `/v1/webhooks/${id}`, { key, body });

test("creates a webhook whose secret is shown once, to its maker", async () => {
  const { key, apiKey } = await api.createRootKey();
  const call = {
    key,
    idempotencyKey: unique("create"),
    body: { url: URL_, events: ["project.*", "credits.low"], description: "Back office" },
  };
  const created = await api.send("POST", "/v1/webhooks", call);
  expect(created.status).toBe(201);
  expect(created.body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(created.body.webhook).toEqual({
    id: expect.stringMatching(/^wh_/),
    url: URL_,
    description: "Back office",
    events: ["project.*", "credits.low"],
    filter: null,
    payload: "full",
    headerNames: [],
    status: "active",
    disabledReason: null,
    ownerKeyId: apiKey.id,
    createdByKeyId: apiKey.id,
    health: {
      status: "unknown",
      consecutiveFailures: 0,
      failingSince: null,
      lastSuccessAt: null,
      lastFailureAt: null,
    },
    previousSecretExpiresAt: null,
    projectId: null,
    endUser: null,
    createdAt: expect.stringMatching(/\.\d{3}Z$/),
    updatedAt: expect.stringMatching(/\.\d{3}Z$/),
  });
  const { webhook } = created.body;
  const lastDeliveries = { succeeded: 0, failed: 0 };
  expect(await webhooksOf(key)).toEqual([{ ...webhook, health: { ...webhook.health, lastDeliveries } }]);
  const repeated = await api.send("POST", "/v1/webhooks", call);
  expect([repeated.body, repeated.headers.get("idempotent-replayed")]).toEqual([created.body, "true"]);
  const [row] = await client`select secret from webhooks where url = ${URL_}`;
  expect(row?.secret.includes(created.body.secret)).toBe(false);
});

test.each([
  "http://example.com/hook",
  "https://user:pass@example.com/",
  "https://10.0.0.1/",
  "https://169.254.169.254/",
  "https://[fe80::1]/",
  "https://[::ffff:127.0.0.1]/",
  "https://[64:ff9b::a00:1]/",
  "https://[2002:a00:1::]/",
  "http://0.0.0.0/",
  "ftp://example.com/",
  "example.com",
])("refuses to send to %s", async (url) => {
  const { key } = await api.createRootKey();
  const { status, body } = await api.send("POST", "/v1/webhooks", { key, body: { url, events: ["*"] } });
  expect(status).toBe(400);
  expect(body.error).toMatchObject({ code: "invalid_request", issues: [{ path: "body.url" }] });
});

test("sends to this machine in the sandbox only", async () => {
  const { key } = await api.createRootKey();
  const send = (url: string) => api.send("POST", "/v1/webhooks", { key, body: { url, events: ["*"] } });
  for (const url of ["http://127.0.0.1:9/hook", "http://localhost:9", "http://[::1]:9/"])
    expect((await send(url)).status).toBe(201);
  Object.assign(api.platform.settings, { sandbox: false });
  const outside = await Promise.all(["http://127.0.0.1:9/hook", "https://localhost/"].map(send));
  Object.assign(api.platform.settings, { sandbox: true });
  expect(outside.map(({ status }) => status)).toEqual([400, 400]);
});

test("names each event that the catalogue does not have", async () => {
  const { key } = await api.createRootKey();
  const body = { url: URL_, events: ["project.created", "projects.*", "nothing", "*"] };
  const refused = await api.send("POST", "/v1/webhooks", { key, body });
  expect(refused.body.error.issues.map(({ path }: { path: string }) => path)).toEqual([
    "body.events.1",
    "body.events.2",
  ]);
});

test("binds a webhook to a project that is the caller's to choose", async () => {
  const { key } = await api.createRootKey();
  const [mine, other] = [await makeEvent(api, key, "Mine"), await makeEvent(api, key, "Other")];
  const bound = await api.createChild(key, { projectId: mine });
  const create = (by: string, projectId?: string) =>
    api.send("POST", "/v1/webhooks", { key: by, body: { url: URL_, events: ["*"], projectId } });
  expect((await create(key, other)).body.webhook.projectId).toBe(other);
  expect((await create(bound.key)).body.webhook.projectId).toBe(mine);
  expect((await create(bound.key, other)).body.error).toMatchObject({ code: "project_not_allowed" });
  expect((await create(key, "proj_01jz4w1n9vf5ha3kqcx8y2r7te")).status).toBe(404);
  expect(await webhooksOf(bound.key)).toHaveLength(1);
});

test("shows a webhook to its owner and the keys above it, never to a sibling", async () => {
  const { key } = await api.createRootKey();
  const [owner, sibling] = [await api.createChild(key), await api.createChild(key)];
  const { webhook } = await createWebhook(api, owner.key, URL_);
  expect(await webhooksOf(key)).toHaveLength(1);
  expect(await webhooksOf(owner.key)).toHaveLength(1);
  expect(await webhooksOf(sibling.key)).toEqual([]);
  expect((await patch(sibling.key, webhook.id, { status: "paused" })).status).toBe(404);
});

test("lists the webhooks that are subscribed to an event", async () => {
  const { key } = await api.createRootKey();
  const all = await createWebhook(api, key, URL_);
  const group = await createWebhook(api, key, URL_, ["project.*"]);
  const named = await createWebhook(api, key, URL_, ["credits.low", "project.created"]);
  const list = async (event: string) =>
    (await api.send("GET", `/v1/webhooks?event=${event}`, { key })).body.webhooks.map(
      ({ id }: { id: string }) => id,
    );
  expect(await list("project.created")).toEqual([named.webhook.id, group.webhook.id, all.webhook.id]);
  expect(await list("project.archived")).toEqual([group.webhook.id, all.webhook.id]);
  expect(await list("run.failed")).toEqual([all.webhook.id]);
});

test("changes only the given fields, pauses and resumes", async () => {
  const { key } = await api.createRootKey();
  const { webhook } = await createWebhook(api, key, URL_);
  const paused = await patch(key, webhook.id, { status: "paused", description: "Later" });
  expect(paused.body.webhook).toMatchObject({ status: "paused", description: "Later", url: URL_ });
  const resumed = await patch(key, webhook.id, { status: "active", description: null });
  expect(resumed.body.webhook).toMatchObject({ status: "active", description: null, events: ["*"] });
  const wrong = await patch(key, webhook.id, { url: "http://10.0.0.1", status: "disabled" });
  expect(wrong.status).toBe(400);
});

test("disables by hand, once, and brings back", async () => {
  const { key } = await api.createRootKey();
  const { webhook } = await createWebhook(api, key, URL_);
  const disabled = await api.send("DELETE", `/v1/webhooks/${webhook.id}`, { key });
  expect(disabled.body.webhook).toMatchObject({ status: "disabled", disabledReason: "manual" });
  const again = await api.send("DELETE", `/v1/webhooks/${webhook.id}`, { key });
  expect([again.status, again.body.webhook]).toEqual([200, disabled.body.webhook]);
  const listed = await api.send("GET", "/v1/webhooks", { key });
  expect(listed.body.webhooks.map(({ id }: { id: string }) => id)).toEqual([webhook.id]);
  const inUse = await api.send("GET", "/v1/webhooks?disabledManually=exclude&total=include", { key });
  expect([inUse.body.webhooks, inUse.body.total]).toEqual([[], { count: 0, more: false }]);
  expect((await patch(key, webhook.id, { status: "paused" })).body.error.code).toBe("state_conflict");
  const back = await patch(key, webhook.id, { status: "active" });
  expect(back.body.webhook).toMatchObject({ status: "active", disabledReason: null });
});

test("ends with its owner's branch, and is adopted by a key above or a member", async () => {
  const { key, apiKey, accountId } = await api.createRootKey();
  const parent = await api.createChild(key);
  const owner = await api.createChild(parent.key);
  const { webhook } = await createWebhook(api, owner.key, URL_);
  await api.send("DELETE", `/v1/api-keys/${parent.apiKey.id}`, { key });
  expect((await webhooksOf(key))[0]).toMatchObject({ status: "disabled", disabledReason: "key_revoked" });
  const adopted = await patch(key, webhook.id, { status: "active" });
  expect(adopted.body.webhook).toMatchObject({
    status: "active",
    ownerKeyId: apiKey.id,
    createdByKeyId: owner.apiKey.id,
  });
  await client`update api_keys set expires_at = now(), expiry_mode = 'fixed' where prefix = ${key.slice(0, 15)}`;
  const member = await signInMember(api, accountId, "developer");
  const listed = await member.query("webhooks.list");
  expect(listed.data.webhooks[0]).toMatchObject({ status: "disabled", disabledReason: "key_expired" });
  await disableExpiredWebhooks(db);
  const taken = await member.mutate("webhooks.update", { webhookId: webhook.id, status: "active" });
  expect(taken.data.webhook).toMatchObject({ status: "active", ownerKeyId: null });
});

test("is disabled if its key is revoked while it is being created, and adopted like any other", async () => {
  const { key, apiKey, accountId } = await api.createRootKey();
  const owner = await api.createChild(key);
  const [locked, revoked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  // Creations in one account take turns.
  const holding = client.begin(async (tx) => {
    await tx`select from accounts where id = ${uuidOf("account", accountId)} for no key update`;
    locked.resolve();
    await revoked.promise;
  });
  await locked.promise;
  const creating = createWebhook(api, owner.key, URL_);
  const waiting = () =>
    client`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(waiting).toHaveLength(1);
  await api.mustSend(200, "DELETE", `/v1/api-keys/${owner.apiKey.id}`, { key });
  revoked.resolve();
  await holding;
  const { id } = (await creating).webhook;
  const ended = { id, status: "disabled", disabledReason: "key_revoked" };
  expect(await webhooksOf(key)).toMatchObject([ended]);
  expect((await api.send("GET", "/v1/webhooks?status=active", { key })).body.webhooks).toEqual([]);
  await disableExpiredWebhooks(db);
  expect(await webhooksOf(key)).toMatchObject([ended]);
  const adopted = await patch(key, id, { status: "active" });
  expect(adopted.body.webhook).toMatchObject({ status: "active", ownerKeyId: apiKey.id });
});

test("keeps its owner when a key above or a member brings it back while the owner lives", async () => {
  const { key, accountId } = await api.createRootKey();
  const owner = await api.createChild(key, { scopes: ["webhooks:read", "webhooks:write"] });
  const { webhook } = await createWebhook(api, owner.key, URL_);
  const member = await signInMember(api, accountId, "developer");
  const ways = [
    async () => (await patch(key, webhook.id, { status: "active" })).body,
    async () => (await member.mutate("webhooks.update", { webhookId: webhook.id, status: "active" })).data,
  ];
  for (const bringBack of ways) {
    await api.send("DELETE", `/v1/webhooks/${webhook.id}`, { key });
    expect((await bringBack()).webhook).toMatchObject({ status: "active", ownerKeyId: owner.apiKey.id });
  }
  await api.send("DELETE", `/v1/webhooks/${webhook.id}`, { key });
  await api.send("DELETE", `/v1/api-keys/${owner.apiKey.id}`, { key });
  const adopted = await member.mutate("webhooks.update", { webhookId: webhook.id, status: "active" });
  expect(adopted.data.webhook).toMatchObject({ status: "active", ownerKeyId: null });
});

test("warns of an endpoint that fails for two days, and disables it after five", async () => {
  const { key, accountId } = await api.createRootKey();
  const { webhook } = await createWebhook(api, key, URL_);
  const events = async () =>
    (await client`select type from outbox where type like 'webhook.%' order by id`).map(({ type }) => type);
  const fail = (days: number, warnedDaysAgo: number | null) =>
    handleFailures(
      db,
      [
        {
          accountId,
          webhookId: webhook.id,
          failingSince: new Date(Date.now() - days * DAY),
          warnedAt: warnedDaysAgo === null ? null : new Date(Date.now() - warnedDaysAgo * DAY),
        },
      ],
      [],
    );
  await client`delete from outbox`;
  await fail(1.9, null);
  expect(await events()).toEqual([]);
  await fail(2.1, null);
  await fail(2.1, null);
  expect(await events()).toEqual(["webhook.failing"]);
  await fail(4.9, 2);
  await fail(9, 0.5);
  expect((await webhooksOf(key))[0].status).toBe("active");
  await fail(5.1, 3);
  expect((await webhooksOf(key))[0]).toMatchObject({ status: "disabled", disabledReason: "failing" });
  expect(await events()).toEqual(["webhook.failing", "webhook.disabled"]);
});

test("waits as the schedule says, 10 % to either side, or as long as it is asked to", () => {
  const now = new Date("2027-01-31T12:00:00.000Z");
  const waits = (chance: number) =>
    Array.from({ length: 10 }, (_, nth) => {
      const next = nextAttemptAt(nth + 1, now, 0, () => chance);
      return next && Math.round((next.getTime() - now.getTime()) / 1000);
    });
  expect(waits(0.5)).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400, null]);
  expect(waits(0)[1]).toBe(270);
  expect(waits(1)[1]).toBe(330);
  expect(nextAttemptAt(1, now, 60_000)?.toISOString()).toBe("2027-01-31T12:01:00.000Z");
  expect(nextAttemptAt(2, now, 1_000, () => 0.5)?.toISOString()).toBe("2027-01-31T12:05:00.000Z");
});
