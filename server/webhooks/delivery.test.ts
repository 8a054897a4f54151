import { Webhook as StandardWebhook } from "standardwebhooks";
import Stripe from "stripe";
import { Webhook as SvixWebhook } from "svix";
import { expect, test, vi } from "vitest";
import { defined } from "#server/base/defined.ts";
import { dropOldDeliveries } from "#server/jobs/drop-old-rows.ts";
import { startApi } from "#server/testing/api.ts";
import { signInMember } from "#server/testing/console.ts";
import { createWebhook, makeEvent, startDelivering, startEndpoint } from "#server/testing/webhooks.ts";

const api = await startApi();
await startDelivering(api);

const deliveriesOf = async (key: string, query = "") =>
  (await api.send("GET", `/v1/webhook-deliveries${query}`, { key })).body.deliveries;

test("delivers an event in a form that three libraries verify, each by its own header", async () => {
  const { key } = await api.createRootKey();
  const endpoint = await startEndpoint();
  const { webhook, secret } = await createWebhook(api, key, endpoint.url, ["project.*"]);
  const projectId = await makeEvent(api, key);
  await vi.waitFor(() => expect(endpoint.received).toHaveLength(1), 120_000);
  const [{ headers, raw, body }] = endpoint.received as [(typeof endpoint.received)[0]];
  expect(body).toMatchObject({
    id: expect.stringMatching(/^whe_/),
    type: "project.created",
    apiVersion: "v1",
    sequence: 1,
    projectId,
    data: { project: { id: projectId, name: "Shop" } },
  });
  expect(headers).toMatchObject({
    "content-type": "application/json",
    "x-service-event": "project.created",
    "webhook-id": body.id,
  });
  const standard = headers as Record<string, string>;
  expect(new StandardWebhook(secret).verify(raw, standard)).toEqual(body);
  expect(() => new SvixWebhook(secret).verify(raw, standard)).not.toThrow();
  expect(() => new SvixWebhook(secret).verify(`${raw} `, standard)).toThrow("No matching signature found");
  const signature = defined(headers["x-service-signature"]);
  expect(new Stripe("sk_test_x").webhooks.constructEvent(raw, signature, secret)).toEqual(body);
  await vi.waitFor(async () => {
    expect(await deliveriesOf(key)).toEqual([
      {
        id: expect.stringMatching(/^del_/),
        webhookId: webhook.id,
        eventId: body.id,
        event: "project.created",
        status: "succeeded",
        attempts: [
          {
            at: expect.stringMatching(/\.\d{3}Z$/),
            status: 200,
            durationMs: expect.any(Number),
            error: null,
            responseSnippet: "ok",
          },
        ],
        nextAttemptAt: null,
        replayOf: null,
        projectId: null,
        endUser: null,
        createdAt: expect.stringMatching(/\.\d{3}Z$/),
      },
    ]);
  }, 120_000);
  const { webhooks } = (await api.send("GET", "/v1/webhooks", { key })).body;
  expect(webhooks[0].health.lastDeliveries).toEqual({ succeeded: 1, failed: 0 });
});

test("tries again by the schedule, with the same bytes and id, until a 2xx", async () => {
  const { key } = await api.createRootKey();
  let calls = 0;
  const endpoint = await startEndpoint((response) => {
    calls += 1;
    response.writeHead(calls === 1 ? 503 : 204).end();
  });
  await createWebhook(api, key, endpoint.url);
  await makeEvent(api, key);
  await vi.waitFor(() => expect(endpoint.received).toHaveLength(2), 120_000);
  const [first, second] = endpoint.received as [(typeof endpoint.received)[0], (typeof endpoint.received)[0]];
  expect(second.raw).toBe(first.raw);
  expect(second.headers["webhook-id"]).toBe(first.headers["webhook-id"]);
  await vi.waitFor(async () => {
    const [delivery] = await deliveriesOf(key);
    expect(delivery).toMatchObject({
      status: "succeeded",
      attempts: [
        { status: 503, error: "The endpoint answered 503; only 2xx counts as received." },
        { status: 204, error: null, responseSnippet: null },
      ],
    });
    const [one, two] = delivery.attempts;
    expect(Date.parse(two.at) - Date.parse(one.at)).toBeGreaterThanOrEqual(4_500);
  }, 120_000);
});

test.each([
  {
    name: "redirects",
    answer: (r) => r.writeHead(302, { location: "https://example.com" }).end(),
    status: 302,
  },
  {
    name: "answers 10 MB with an error",
    answer: (r) => r.writeHead(500).end(Buffer.alloc(10 << 20, "x")),
    status: 500,
  },
  { name: "resets", answer: (r) => r.socket?.resetAndDestroy(), status: null },
] as {
  name: string;
  answer: Parameters<typeof startEndpoint>[0];
  status: number | null;
}[])("counts as failed an endpoint that $name", async ({ answer, status }) => {
  const { key } = await api.createRootKey();
  const endpoint = await startEndpoint(answer);
  const { webhook } = await createWebhook(api, key, endpoint.url);
  await makeEvent(api, key);
  await vi.waitFor(async () => {
    const [delivery] = await deliveriesOf(key);
    expect(delivery).toMatchObject({
      status: "pending",
      nextAttemptAt: expect.stringMatching(/Z$/),
      attempts: [{ status, error: expect.stringMatching(/\.$/) }],
    });
    expect(delivery.attempts[0].responseSnippet?.length ?? 0).toBeLessThanOrEqual(500);
  }, 120_000);
  const { webhooks } = (await api.send("GET", "/v1/webhooks", { key })).body;
  expect(webhooks[0]).toMatchObject({
    id: webhook.id,
    health: { status: "failing", consecutiveFailures: 1, failingSince: expect.stringMatching(/Z$/) },
  });
});

test("takes a 2xx with 10 MB behind it for received, without reading them", async () => {
  const { key } = await api.createRootKey();
  const endpoint = await startEndpoint((response) => response.end(Buffer.alloc(10 << 20, "x")));
  await createWebhook(api, key, endpoint.url);
  await makeEvent(api, key);
  await vi.waitFor(async () => {
    const [delivery] = await deliveriesOf(key);
    expect(delivery).toMatchObject({ status: "succeeded", attempts: [{ status: 200 }] });
    expect(delivery.attempts[0].responseSnippet).toHaveLength(500);
  }, 120_000);
});

test("disables a webhook whose endpoint answers 410, and cancels its pending deliveries", async () => {
  const { key } = await api.createRootKey();
  const endpoint = await startEndpoint((response) => response.writeHead(410).end());
  const watching = await startEndpoint();
  await createWebhook(api, key, endpoint.url, ["project.created"]);
  await createWebhook(api, key, watching.url, ["webhook.disabled"]);
  await makeEvent(api, key);
  await vi.waitFor(() => expect(watching.received).toHaveLength(1), 120_000);
  expect(watching.received[0]?.body.data.webhook).toMatchObject({
    url: endpoint.url,
    status: "disabled",
    disabledReason: "gone",
  });
  expect((await deliveriesOf(key, "?event=project.created"))[0]).toMatchObject({
    status: "failed",
    attempts: [{ status: 410 }],
  });
});

test("does not send to a name that resolves to a private address, and says so", async () => {
  const { key } = await api.createRootKey();
  const { webhook } = await createWebhook(api, key, "https://hook.example.com/");
  const { client } = api.platform.database;
  await client`update webhooks set url = 'https://10.0.0.7/' where url = 'https://hook.example.com/'`;
  await makeEvent(api, key);
  await vi.waitFor(async () => {
    expect(await deliveriesOf(key, `?webhookId=${webhook.id}`)).toMatchObject([
      { attempts: [{ status: null, error: "10.0.0.7 is not a public address." }] },
    ]);
  }, 120_000);
});

test("delays nobody by an endpoint that hangs, however much waits for it", async () => {
  const { key } = await api.createRootKey();
  const hanging = await startEndpoint(() => undefined);
  const prompt = await startEndpoint();
  await createWebhook(api, key, hanging.url);
  for (let nth = 0; nth < 40; nth += 1) await makeEvent(api, key);
  await vi.waitFor(() => expect(hanging.received.length).toBeGreaterThan(0), 120_000);
  await createWebhook(api, key, prompt.url);
  const last = await makeEvent(api, key);
  await expect.poll(() => prompt.received.map(({ body }) => body.projectId)).toContain(last);
  expect(hanging.received.length).toBeLessThan(40);
});

test("sends the same bytes again on a replay, as a delivery of its own", async () => {
  const { key } = await api.createRootKey();
  const endpoint = await startEndpoint();
  await createWebhook(api, key, endpoint.url);
  await makeEvent(api, key);
  await vi.waitFor(async () => expect(await deliveriesOf(key, "?status=succeeded")).toHaveLength(1), 120_000);
  const [{ id }] = await deliveriesOf(key);
  const replayed = await api.send("POST", `/v1/webhook-deliveries/${id}/replay`, { key, body: {} });
  expect(replayed.status).toBe(202);
  expect(replayed.body.delivery).toMatchObject({ replayOf: id, status: "pending", attempts: [] });
  await vi.waitFor(() => expect(endpoint.received).toHaveLength(2), 120_000);
  expect(endpoint.received[1]?.raw).toBe(endpoint.received[0]?.raw);
  expect(endpoint.received[1]?.headers["webhook-id"]).toBe(endpoint.received[0]?.headers["webhook-id"]);
});

test("signs with both secrets while they overlap, and afterwards only with the new one", async () => {
  const { key } = await api.createRootKey();
  const endpoint = await startEndpoint();
  const { webhook, secret } = await createWebhook(api, key, endpoint.url);
  const rotate = (overlapSeconds: number) =>
    api.send("POST", `/v1/webhooks/${webhook.id}/rotate-secret`, { key, body: { overlapSeconds } });
  const second = (await rotate(60)).body;
  expect(second.webhook.previousSecretExpiresAt).toMatch(/Z$/);
  await makeEvent(api, key);
  await vi.waitFor(() => expect(endpoint.received).toHaveLength(1), 120_000);
  const third = (await rotate(0)).body;
  expect(third.webhook.previousSecretExpiresAt).toBeNull();
  await makeEvent(api, key);
  await vi.waitFor(() => expect(endpoint.received).toHaveLength(2), 120_000);
  const verify = (nth: number, key: string) => {
    const { raw, headers } = defined(endpoint.received[nth]);
    return new StandardWebhook(key).verify(raw, headers as Record<string, string>);
  };
  expect(verify(0, secret)).toEqual(endpoint.received[0]?.body);
  expect(verify(0, second.secret)).toEqual(endpoint.received[0]?.body);
  expect(verify(1, third.secret)).toEqual(endpoint.received[1]?.body);
  expect(() => verify(1, second.secret)).toThrow("No matching signature found");
});

test("says of a delivery whether its signature holds, and where not, why", async () => {
  const { key, accountId } = await api.createRootKey();
  const member = await signInMember(api, accountId, "viewer");
  const endpoint = await startEndpoint();
  const { webhook } = await createWebhook(api, key, endpoint.url);
  const strange = await createWebhook(api, key, endpoint.url, ["credits.low"]);
  await makeEvent(api, key);
  await vi.waitFor(() => expect(endpoint.received).toHaveLength(1), 120_000);
  const [{ headers, raw }] = endpoint.received as [(typeof endpoint.received)[0]];
  const id = `webhook-id: ${headers["webhook-id"]}`;
  const ours = `${id}\r\nX-Service-Signature: ${headers["x-service-signature"]}`;
  const check = async (sent: object) => {
    const { data } = await member.mutate("webhooks.signature.check", {
      webhookId: webhook.id,
      headers: ours,
      body: raw,
      ...sent,
    });
    const wrong = data.checks.filter(({ passed }: { passed: boolean }) => passed === false);
    return [data.valid, wrong.map(({ check }: { check: string }) => check)];
  };
  const standard = ["webhook-timestamp", "webhook-signature"].map((name) => `${name}: ${headers[name]}`);
  expect(await check({})).toEqual([true, []]);
  expect(await check({ headers: [id, ...standard].join("\n") })).toEqual([true, []]);
  expect(await check({ webhookId: strange.webhook.id })).toEqual([false, ["signature"]]);
  expect(await check({ body: JSON.stringify(JSON.parse(raw), null, 2) })).toEqual([
    false,
    ["body", "signature"],
  ]);
  expect(await check({ headers: ours.replace(/t=\d+/, "t=1700000000") })).toEqual([
    false,
    ["timestamp", "signature"],
  ]);
  for (const forged of ["webhook-id: evt_1", `${id}0`, "webhook-id: whe_"])
    expect(await check({ headers: [forged, ...standard].join("\n") })).toEqual([false, ["signature"]]);
  expect(await check({ headers: "X-Service-Signature: t=9007199254740991,v1=5f2c" })).toEqual([
    false,
    ["timestamp", "signature"],
  ]);
  expect(await check({ headers: "Content-Type: application/json" })).toEqual([false, ["headers"]]);
});

test("abandons a delivery whose event is dropped while its webhook is paused", async () => {
  const { key } = await api.createRootKey();
  const endpoint = await startEndpoint((response) => response.writeHead(500).end());
  const { webhook } = await createWebhook(api, key, endpoint.url, ["project.*"]);
  const setStatus = (status: string) =>
    api.mustSend(200, "PATCH", `/v1/webhooks/${webhook.id}`, { key, body: { status } });
  const pending = () => deliveriesOf(key, "?status=pending");
  await makeEvent(api, key);
  await expect.poll(async () => (await pending())[0]?.attempts.length).toBe(1);
  await setStatus("paused");
  // As if the event's month ended more than three months ago.
  await dropOldDeliveries(api.platform.database.db, -2);
  expect(await pending()).toEqual([]);
  await setStatus("active");
  const later = await makeEvent(api, key);
  await expect.poll(() => endpoint.received.at(-1)?.body.data.project.id).toBe(later);
});
