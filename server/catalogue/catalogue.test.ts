import { request as httpRequest } from "node:http";
import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";

const api = await startApi();

type Named = Record<string, unknown> & { id: string; operationId: string; serviceId: string };

const SERVICES = [
  "platform-api",
  "managed-database",
  "managed-wallets",
  "managed-trading",
  "universal-swaps",
  "managed-agents",
  "managed-workflows",
  "managed-memory",
  "managed-triggers",
  "managed-events",
];
const MEMORY = ["put", "get", "list", "search", "delete", "export"];

test("lists the services that the key reaches, with their capabilities and missing settings", async () => {
  const { key } = await api.createRootKey();
  const { body } = await api.send("GET", "/v1/services", { key });
  expect(body.services.map((service: Named) => service.id)).toEqual(SERVICES);
  expect(body.services[7]).toEqual({
    id: "managed-memory",
    name: "Managed memory",
    description: "Stores texts with tags, and searches them.",
    status: "available",
    reason: null,
    operations: MEMORY,
  });
  expect(body.services[2]).toMatchObject({
    status: "unavailable",
    reason: "This installation has no chain. Its operator sets CHAINS.",
  });
  expect(body.services[0].operations).toContain("projects.update");
  expect(body.services[0].operations).not.toContain("auditEvents.read");
});

test("shows services and capabilities inside the boundaries of the whole chain of keys", async () => {
  const { key } = await api.createRootKey({ allowedServices: ["managed-memory", "platform-api"] });
  const child = await api.createChild(key, { excludedServices: ["platform-api"] });
  const grandchild = await api.createChild(child.key);
  for (const [secret, ids] of [
    [key, ["platform-api", "managed-memory"]],
    [child.key, ["managed-memory"]],
    [grandchild.key, ["managed-memory"]],
  ] as const) {
    const services = (await api.send("GET", "/v1/services", { key: secret })).body.services;
    expect(services.map((service: Named) => service.id)).toEqual(ids);
  }
  const capabilities = (await api.send("GET", "/v1/capabilities", { key: grandchild.key })).body.capabilities;
  expect(capabilities.map((capability: Named) => capability.operationId)).toEqual(MEMORY);
  const none = await api.createChild(key, { allowedServices: [] });
  expect((await api.send("GET", "/v1/services", { key: none.key })).body.services).toEqual([]);
});

test("describes a capability by schemas, modes, selectors and price", async () => {
  const { key } = await api.createRootKey();
  const { body } = await api.send("GET", "/v1/capabilities/managed-memory", { key });
  expect(body.nextCursor).toBeNull();
  const search = body.capabilities.find((capability: Named) => capability.operationId === "search");
  expect(search).toMatchObject({
    serviceId: "managed-memory",
    title: "Search memories",
    modes: ["invoke", "run"],
    endpoint: null,
    selectors: ["services.invoke.managed-memory.search", "runs.create.managed-memory.search"],
    readOnly: true,
    destructive: false,
    requiresApproval: false,
    price: { unit: "call", credits: 1, maximum: 1 },
    inputSchema: {
      type: "object",
      properties: { query: { type: "string", maxLength: 1000 } },
      required: ["query"],
      additionalProperties: false,
    },
    outputSchema: { type: "object", required: ["memories"] },
  });
  expect(JSON.stringify(search.outputSchema)).not.toContain('additionalProperties":false');
  const runs = await api.send("GET", "/v1/capabilities/managed-memory?mode=invoke", { key });
  expect(runs.body.capabilities.map((capability: Named) => capability.operationId)).toEqual(
    MEMORY.filter((id) => id !== "export"),
  );
});

test("derives capabilities with their own endpoints from the operations themselves", async () => {
  const { key } = await api.createRootKey();
  const { body } = await api.send("GET", "/v1/capabilities/platform-api?limit=100", { key });
  const update = body.capabilities.find((capability: Named) => capability.operationId === "projects.update");
  expect(update).toMatchObject({
    modes: [],
    endpoint: { method: "PATCH", path: "/projects/{projectId}" },
    selectors: ["projects.update"],
    readOnly: false,
    price: { unit: "call", credits: 0, maximum: 0 },
    inputSchema: { properties: { projectId: { type: "string" }, name: { type: "string" } } },
    outputSchema: { properties: { project: expect.anything() } },
  });
  const modes = await api.send("GET", "/v1/capabilities/platform-api?mode=run", { key });
  expect(modes.body.capabilities).toEqual([]);
});

test("finds capabilities by a part of their service, id or title, ignoring case", async () => {
  const { key } = await api.createRootKey();
  const found = async (query: string) => {
    const { body } = await api.send("GET", `/v1/capabilities${query}`, { key });
    return body.capabilities.map(({ serviceId, operationId }: Named) => `${serviceId} ${operationId}`);
  };
  expect(await found("?search=MEMORY%20put")).toEqual(["managed-memory put"]);
  expect(await found("?search=start%20a%20stored")).toEqual(["managed-workflows start"]);
  expect(await found("?search=managed-memory&mode=run&limit=100")).toContain("managed-memory export");
  expect(await found("?search=managed-memory&mode=invoke&limit=100")).not.toContain("managed-memory export");
  expect(await found("?search=nobody")).toEqual([]);
  expect(await found("/managed-memory?search=put")).toEqual(["managed-memory put"]);
  const none = await api.send("GET", "/v1/capabilities?search=%20", { key });
  expect(none.body.error).toMatchObject({ status: 400, issues: [{ path: "query.search" }] });
});

test("tells an unknown service: 404 to a key without a boundary, 403 to one with", async () => {
  const { key } = await api.createRootKey();
  const bounded = await api.createChild(key, { allowedServices: ["managed-memory"] });
  const path = "/v1/capabilities/no-such-service";
  expect((await api.send("GET", path, { key })).body.error).toMatchObject({
    status: 404,
    code: "not_found",
    message: "No service no-such-service.",
  });
  for (const [secret, status] of [
    [bounded.key, 403],
    [key, 404],
  ] as const)
    expect((await api.send("GET", path, { key: secret })).status).toBe(status);
  const outside = await api.send("GET", "/v1/capabilities/platform-api", { key: bounded.key });
  expect(outside.body.error).toMatchObject({
    status: 403,
    code: "service_not_allowed",
    check: "service",
    keyId: bounded.apiKey.id,
  });
});

test("pages through a catalogue with cursors that are bound to their filters", async () => {
  const { key } = await api.createRootKey();
  const first = await api.send("GET", "/v1/services?limit=5", { key });
  const second = await api.send("GET", `/v1/services?limit=5&cursor=${first.body.nextCursor}`, { key });
  const counted = await api.mustSend(
    200,
    "GET",
    `/v1/services?limit=5&cursor=${first.body.nextCursor}&total=include`,
    { key },
  );
  expect(counted.total).toEqual({ count: SERVICES.length, more: false });
  const found = await api.mustSend(200, "GET", "/v1/services?search=managed-memory&total=include", { key });
  expect(found.total).toEqual({ count: found.services.length, more: false });
  const ids = [...first.body.services, ...second.body.services].map((service: Named) => service.id);
  expect(ids).toEqual(SERVICES);
  expect(second.body.nextCursor).toBeNull();
  for (const path of [
    `/v1/services?cursor=nothing`,
    `/v1/capabilities?cursor=${first.body.nextCursor}`,
    `/v1/capabilities/managed-memory?cursor=${first.body.nextCursor}`,
  ]) {
    const refused = await api.send("GET", path, { key });
    expect(refused.body.error).toMatchObject({ status: 400, issues: [{ path: "query.cursor" }] });
  }
  const page = await api.send("GET", "/v1/capabilities?limit=1&mode=invoke", { key });
  const other = await api.send("GET", `/v1/capabilities?limit=1&cursor=${page.body.nextCursor}`, { key });
  expect(other.body.error).toMatchObject({ status: 400, issues: [{ path: "query.cursor" }] });
});

test("publishes prices, availability and limits without a key", async () => {
  const { status, headers, body } = await api.send("GET", "/v1/pricing");
  expect(status).toBe(200);
  expect(headers.get("access-control-allow-origin")).toBe("*");
  expect(body.pricing).toMatchObject({
    creditsPerUsd: 1000,
    version: "2026-11-23",
    limits: {
      requests: { maximumJsonBytes: 1_048_576 },
      memory: { maximumContentBytes: 262_144, maximumTags: 50 },
      runs: { maximumTimelineEntries: 10_000, maximumKeptBytes: 67_108_864 },
      triggers: { maximumTriggers: 10_000, maximumBackfill: 1000 },
      events: {
        maximumDataBytes: 65_536,
        keptSeconds: 2_592_000,
        maximumAwaited: 10,
        maximumConditions: 20,
        maximumConditionsBytes: 16_384,
        maximumWaitsPerEvent: 1000,
      },
      workflows: { maximumSteps: 200, maximumConcurrency: 20 },
    },
  });
  expect(body.pricing.services.map((service: Named) => service.id)).toEqual(SERVICES);
  expect(body.pricing.services[7]).toEqual({
    id: "managed-memory",
    available: true,
    reason: null,
    operations: [
      { operationId: "put", unit: "call", credits: 1, maximum: 1 },
      { operationId: "get", unit: "call", credits: 0, maximum: 0 },
      { operationId: "list", unit: "call", credits: 0, maximum: 0 },
      { operationId: "search", unit: "call", credits: 1, maximum: 1 },
      { operationId: "delete", unit: "call", credits: 0, maximum: 0 },
      { operationId: "export", unit: "call", credits: 5, maximum: 5 },
    ],
  });
  expect(body.pricing.services[2]).toMatchObject({
    available: false,
    reason: "This installation has no chain. Its operator sets CHAINS.",
  });
});

test.each([
  ["platform-api", true],
  ["managed-wallets", false],
  ["managed-trading", false],
  ["universal-swaps", false],
  ["managed-agents", false],
  ["managed-workflows", true],
])("prices %s alone", async (service, available) => {
  const { body } = await api.send("GET", `/v1/pricing?service=${service}`);
  expect(body.pricing.services).toMatchObject([{ id: service, available }]);
});

test.each([
  "service=managed-memory",
  "service=managed-database",
  "service=",
  "service=PLATFORM-API",
  "service=platform-api&service=platform-api",
  "credits=1",
  "price=0",
  "creditsPerUsd=1",
])("refuses GET /pricing?%s", async (query) => {
  const refused = await api.send("GET", `/v1/pricing?${query}`);
  expect(refused.body.error).toMatchObject({ status: 400, code: "invalid_request" });
});

test("refuses a body on a GET, such as prices of the client's", async () => {
  const answer = await new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    const prices = JSON.stringify({ pricing: { creditsPerUsd: 1 } });
    const headers = { "content-type": "application/json", "content-length": prices.length };
    const call = httpRequest(`${api.origin}/v1/pricing`, { method: "GET", headers }, async (response) => {
      const body = Buffer.concat(await response.toArray()).toString();
      resolve({ status: response.statusCode, body });
    });
    call.on("error", reject).end(prices);
  });
  expect(answer.status).toBe(400);
  expect(JSON.parse(answer.body).error).toMatchObject({
    code: "invalid_request",
    issues: [{ path: "body" }],
  });
});
