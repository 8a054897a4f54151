import { expect, test } from "vitest";
import { apiOperations } from "#server/operations.ts";
import { startApi } from "#server/testing/api.ts";
import { createPayingKey, invokeMemory } from "#server/testing/credits.ts";

const api = await startApi();

interface Action {
  operation: string;
  serviceId: string;
  method: string;
  path: string;
  scope: string | null;
  idempotencyRequired: boolean;
  limitSelectors: string[];
  allowed: boolean;
  deniedBy: { check: string; keyId: string } | null;
}

async function actionsOf(key: string, filter = ""): Promise<Action[]> {
  const found: Action[] = [];
  let cursor = "";
  do {
    const { body } = await api.send("GET", `/v1/actions?limit=100${filter}${cursor}`, { key });
    found.push(...body.actions);
    cursor = body.nextCursor && `&cursor=${body.nextCursor}`;
  } while (cursor);
  return found;
}

/** Calls the action's operation with input that has no effect. */
async function callOf(key: string, action: Action) {
  const path = action.path.replace(/\{[^}]*\}/g, "none");
  const [, serviceId, operationId] =
    /^(?:services\.invoke|runs\.create)\.([^.]+)\.(.+)$/.exec(action.operation) ?? [];
  const answer = await api.send(action.method, `/v1${path}`, {
    key,
    ...(action.method !== "GET" && { body: { serviceId, operationId, nonsense: true } }),
  });
  return answer.body.error?.check ? { check: answer.body.error.check, keyId: answer.body.error.keyId } : null;
}

test("explains every operation of the API and every operation of a service", async () => {
  const { key } = await api.createRootKey();
  const actions = await actionsOf(key);
  const operations = actions.map((action) => action.operation);
  for (const operation of apiOperations) expect(operations).toContain(operation.operationId);
  expect(new Set(operations).size).toBe(operations.length);
  expect(actions.find((action) => action.operation === "services.invoke.managed-memory.put")).toEqual({
    operation: "services.invoke.managed-memory.put",
    serviceId: "managed-memory",
    method: "POST",
    path: "/services/managed-memory/invoke",
    scope: "services:invoke",
    idempotencyRequired: true,
    limitSelectors: [
      "services.invoke.managed-memory.put",
      "services.invoke.managed-memory",
      "services.invoke",
    ],
    allowed: true,
    deniedBy: null,
  });
  expect(actions.find((action) => action.operation === "capabilities.read")).toMatchObject({
    path: "/capabilities/{serviceId}",
    limitSelectors: ["capabilities.list"],
  });
  expect(actions.every((action) => action.allowed)).toBe(true);
});

const INVOKE = ["services:read", "services:invoke"];
const chains: Record<string, Record<string, unknown>[]> = {
  "a key with everything": [{}],
  "one scope": [{ scopes: ["services:read"] }],
  "some scopes": [{ scopes: ["services:read", "projects:read", "projects:write", "credits:read"] }],
  "no service": [{ allowedServices: [] }],
  "services of the key above": [{ allowedServices: ["platform-api"] }, {}],
  "an excluded service and fewer scopes": [{ excludedServices: ["managed-memory"] }, { scopes: INVOKE }],
  "exact operations": [
    { allowedOperations: ["actions.list", "projects.list", "services.invoke.managed-memory.get"] },
  ],
  "an aggregate, then one less": [
    { allowedOperations: ["actions.list", "apiKeys.create", "services.invoke"] },
    { excludedOperations: ["services.invoke.managed-memory.put"] },
  ],
  "no aggregate": [{ excludedOperations: ["services.invoke", "capabilities.list"] }],
  "every boundary on another level": [
    { excludedOperations: ["projects.list"] },
    { allowedServices: [] },
    { scopes: [...INVOKE, "projects:read"] },
  ],
};

test.each(Object.entries(chains))(
  "describes the answer of a real call of every action: %s",
  async (_, chain) => {
    let { key } = await createPayingKey(api, 1);
    for (const policy of chain) key = (await api.createChild(key, policy)).key;
    // If the path does not name the service, the decision is about the service in the body.
    const actions = (await actionsOf(key)).filter(
      (action) => action.scope !== null && !action.path.includes("{serviceId}"),
    );
    expect(actions.length).toBeGreaterThan(15);
    for (const action of actions) {
      const denied = await callOf(key, action);
      expect({ action: action.operation, denied: action.deniedBy, allowed: action.allowed }).toEqual({
        action: action.operation,
        denied,
        allowed: denied === null,
      });
    }
  },
);

test("reports a limit that is exhausted now", async () => {
  const { key } = await createPayingKey(api, 10, {
    limits: {
      "projects.list": { requestsPerMinute: 1 },
      "services.invoke.managed-memory": { creditsPerDay: 1 },
      "*": { maxConcurrent: 1 },
    },
  });
  const child = await api.createChild(key);
  await api.send("GET", "/v1/projects", { key: child.key });
  await invokeMemory(api, child.key, "put", { content: "a" });
  const denied = (await actionsOf(child.key, "&allowed=false")).map(({ operation, deniedBy }) => ({
    operation,
    check: deniedBy?.check,
  }));
  expect(denied).toEqual([
    { operation: "services.invoke.managed-memory.put", check: "limit" },
    { operation: "services.invoke.managed-memory.search", check: "limit" },
    { operation: "projects.list", check: "limit" },
  ]);
  const put = await invokeMemory(api, child.key, "put", { content: "a" });
  expect(put.status).toBe(429);
  expect((await invokeMemory(api, child.key, "list", {})).status).toBe(200);
});

test("filters by service and by decision", async () => {
  const { key } = await api.createRootKey();
  const reader = await api.createChild(key, { scopes: ["services:read"] });
  const memory = await actionsOf(reader.key, "&serviceId=managed-memory");
  expect(memory.map((action) => action.operation)).toEqual([
    "services.invoke.managed-memory.put",
    "services.invoke.managed-memory.get",
    "services.invoke.managed-memory.list",
    "services.invoke.managed-memory.search",
    "services.invoke.managed-memory.delete",
    "runs.create.managed-memory.put",
    "runs.create.managed-memory.get",
    "runs.create.managed-memory.list",
    "runs.create.managed-memory.search",
    "runs.create.managed-memory.delete",
    "runs.create.managed-memory.export",
  ]);
  expect(await actionsOf(reader.key, "&serviceId=managed-memory&allowed=true")).toEqual([]);
  expect(await actionsOf(reader.key, "&serviceId=no-such-service")).toEqual([]);
  const allowed = await actionsOf(reader.key, "&allowed=true&serviceId=platform-api");
  expect(allowed.map((action) => action.operation)).toEqual([
    "health.read",
    "pricing.read",
    "apiKeys.current",
    "services.list",
    "capabilities.list",
    "capabilities.read",
    "actions.list",
  ]);
  const wrong = await api.send("GET", "/v1/actions?allowed=yes", { key });
  expect(wrong.body.error).toMatchObject({ status: 400, issues: [{ path: "query.allowed" }] });
});
