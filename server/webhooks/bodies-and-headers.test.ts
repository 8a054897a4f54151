import { Webhook as StandardWebhook } from "standardwebhooks";
import { expect, test, vi } from "vitest";
import { defined } from "#server/base/defined.ts";
import { startApi } from "#server/testing/api.ts";
import { signInMember } from "#server/testing/console.ts";
import { everyRow } from "#server/testing/every-row.ts";
import { makeEvent, startDelivering, startEndpoint } from "#server/testing/webhooks.ts";

const api = await startApi();
await startDelivering(api);
const WAIT = { timeout: 120_000 };
const VALUE = "Bearer of-a-value-that-is-kept";

/** Creates a webhook for `project.created`, with additional settings. */
async function create(
  key: string,
  url: string,
  more: object,
): Promise<{ webhook: { id: string; headerNames: string[] }; secret: string }> {
  const body = { url, events: ["project.created"], ...more };
  const created = await api.send("POST", "/v1/webhooks", { key, body });
  expect(created.status).toBe(201);
  return created.body;
}

/** Returns the endpoint's nth delivery. */
async function nth(endpoint: Awaited<ReturnType<typeof startEndpoint>>, count: number) {
  await vi.waitFor(() => expect(endpoint.received.length).toBeGreaterThanOrEqual(count), WAIT);
  return defined(endpoint.received[count - 1]);
}

test("sends a thin body: the facts, the resource and its status, signed like any other", async () => {
  const { key } = await api.createRootKey();
  const endpoint = await startEndpoint();
  const { secret } = await create(key, endpoint.url, { payload: "thin", events: ["api_key.created"] });
  const child = await api.createChild(key);
  const { body, raw, headers } = await nth(endpoint, 1);
  expect(body).toEqual({
    id: headers["webhook-id"],
    type: "api_key.created",
    timestamp: expect.stringMatching(/Z$/),
    apiVersion: "v1",
    sequence: 1,
    projectId: null,
    resource: child.apiKey.id,
    status: "active",
  });
  expect(new StandardWebhook(secret).verify(raw, headers as Record<string, string>)).toEqual(body);
});

test("sends the same bytes in each attempt and replay, though the webhook's body changes meanwhile", async () => {
  const { key, accountId } = await api.createRootKey();
  const member = await signInMember(api, accountId, "viewer");
  let calls = 0;
  const endpoint = await startEndpoint((response) => {
    calls += 1;
    response.writeHead(calls === 1 ? 503 : 204).end();
  });
  const { webhook } = await create(key, endpoint.url, { payload: "thin" });
  const projectId = await makeEvent(api, key);
  const first = await nth(endpoint, 1);
  expect(first.body.resource).toBe(projectId);
  const path = `/v1/webhooks/${webhook.id}`;
  const changed = await api.send("PATCH", path, { key, body: { payload: "full" } });
  expect(changed.body.webhook.payload).toBe("full");
  expect((await nth(endpoint, 2)).raw).toBe(first.raw);
  const { deliveries } = (await api.send("GET", "/v1/webhook-deliveries", { key })).body;
  const delivery = `/v1/webhook-deliveries/${deliveries[0].id}`;
  expect((await api.send("GET", delivery, { key })).body.payload).toBe(first.raw);
  expect((await api.send("POST", `${delivery}/replay`, { key, body: {} })).status).toBe(202);
  const third = await nth(endpoint, 3);
  expect(third.raw).toBe(first.raw);
  await makeEvent(api, key);
  expect((await nth(endpoint, 4)).body.data.project.name).toBe("Shop");
  const headers = ["webhook-id", "webhook-timestamp", "webhook-signature"].map(
    (name) => `${name}: ${third.headers[name]}`,
  );
  const check = { webhookId: webhook.id, headers: headers.join("\n"), body: third.raw };
  expect((await member.mutate("webhooks.signature.check", check)).data.valid).toBe(true);
});

test("sends a webhook's headers with each attempt, and shows only their names", async () => {
  const written: string[] = [];
  const write = vi.spyOn(process.stderr, "write").mockImplementation((line) => {
    written.push(String(line));
    return true;
  });
  const { key } = await api.createRootKey();
  let calls = 0;
  const endpoint = await startEndpoint((response) => {
    calls += 1;
    response.writeHead(calls === 1 ? 500 : 200).end();
  });
  const headers = { Authorization: VALUE, "X-Team": "back office" };
  const { webhook } = await create(key, endpoint.url, { headers });
  expect(webhook.headerNames).toEqual(["authorization", "x-team"]);
  await makeEvent(api, key);
  for (const count of [1, 2])
    expect((await nth(endpoint, count)).headers).toMatchObject({
      authorization: VALUE,
      "x-team": "back office",
      "content-type": "application/json",
      "x-service-event": "project.created",
    });
  const answers = [
    "/v1/webhooks",
    `/v1/webhooks/${webhook.id}`,
    "/v1/webhook-deliveries",
    "/v1/audit-events",
  ];
  for (const path of answers)
    expect(JSON.stringify((await api.send("GET", path, { key })).body), path).not.toContain(VALUE);
  write.mockRestore();
  const stored = await everyRow(api);
  expect(stored).toContain(endpoint.url);
  for (const place of [...written, stored])
    for (const encoding of ["utf8", "hex", "base64"] as const)
      expect(place.includes(Buffer.from(VALUE).toString(encoding))).toBe(false);
});

test("adds, replaces, removes and clears headers by their names", async () => {
  const { key } = await api.createRootKey();
  const endpoint = await startEndpoint();
  const { webhook } = await create(key, endpoint.url, { headers: { authorization: VALUE, "x-old": "1" } });
  const change = async (headers: unknown) =>
    (await api.send("PATCH", `/v1/webhooks/${webhook.id}`, { key, body: { headers } })).body.webhook
      .headerNames;
  expect(await change({ "X-Old": null, "x-new": "2", "x-never": null })).toEqual(["authorization", "x-new"]);
  expect(await change({ "X-New": "3" })).toEqual(["authorization", "x-new"]);
  await makeEvent(api, key);
  const first = await nth(endpoint, 1);
  expect(first.headers).toMatchObject({ authorization: VALUE, "x-new": "3" });
  expect(first.headers).not.toHaveProperty("x-old");
  expect(await change(null)).toEqual([]);
  await makeEvent(api, key);
  expect((await nth(endpoint, 2)).headers).not.toHaveProperty("authorization");
});

test.each([
  ["Content-Type", "text/plain", "platform's own"],
  ["HOST", "example.com", "platform's own"],
  ["webhook-id", "1", "platform's own"],
  ["X-Service-Signature", "t=1", "platform's own"],
  ["Transfer-Encoding", "chunked", "platform's own"],
  ["X-Forwarded-For", "10.0.0.1", "platform's own"],
  ["two words", "1", "No header has such a name"],
  ["x-split", "1\r\nx-other: 2", "printable ASCII"],
  ["x-space", " 1", "printable ASCII"],
  ["x-empty", "", "printable ASCII"],
  ["x-long", "x".repeat(4097), "At most 4,096 characters"],
])("refuses the header %s", async (name, value, message) => {
  const { key } = await api.createRootKey();
  const body = { url: "https://example.com/hook", events: ["*"], headers: { "x-good": "1", [name]: value } };
  const refused = await api.send("POST", "/v1/webhooks", { key, body });
  expect(refused.status).toBe(400);
  expect(refused.body.error.issues).toEqual([
    { path: `body.headers.${name}`, message: expect.stringContaining(message) },
  ]);
});

test("refuses a header twice, and more than twenty of them", async () => {
  const { key } = await api.createRootKey();
  const many = (from: number, to: number) =>
    Object.fromEntries(Array.from({ length: to - from }, (_, nth) => [`x-${from + nth}`, "1"]));
  const send = (headers: object) =>
    api.send("POST", "/v1/webhooks", {
      key,
      body: { url: "https://example.com/hook", events: ["*"], headers },
    });
  const issues = async (headers: object) => (await send(headers)).body.error.issues;
  expect(await issues({ "x-a": "1", "X-A": "2" })).toMatchObject([{ path: "body.headers.X-A" }]);
  expect(await issues(many(0, 21))).toMatchObject([{ path: "body.headers" }]);
  const { webhook } = (await send(many(0, 20))).body;
  const change = (headers: object) =>
    api.send("PATCH", `/v1/webhooks/${webhook.id}`, { key, body: { headers } });
  expect((await change(many(19, 21))).body.error.issues).toMatchObject([{ path: "body.headers" }]);
  expect((await change({ "x-0": null, ...many(19, 21) })).status).toBe(200);
});
