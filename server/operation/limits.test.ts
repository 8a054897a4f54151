import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";

const api = await startApi();
const list = (key: string) => api.send("GET", "/v1/projects", { key });

async function chainOfNine(limits: Record<string, unknown>) {
  const root = await api.createRootKey({ limits });
  let parent = root;
  for (let depth = 1; depth <= 8; depth++) parent = { ...root, ...(await api.createChild(parent.key)) };
  return { root, leaf: parent };
}

test("admits exactly 100 of 500 parallel calls over nine keys with 100 at the root", async () => {
  const { leaf, root } = await chainOfNine({ "projects.list": { requestsPerMinute: 100 } });
  const answers = await Promise.all(Array.from({ length: 500 }, () => list(leaf.key)));
  const admitted = answers.filter((answer) => answer.status === 200);
  const refused = answers.filter((answer) => answer.status === 429);
  expect([admitted.length, refused.length]).toEqual([100, 400]);
  const [one] = refused;
  expect(one?.body.error).toMatchObject({
    code: "limit_exhausted",
    check: "limit",
    keyId: root.apiKey.id,
    operationState: "not_started",
    limit: { operation: "projects.list", kind: "requestsPerMinute", keyId: root.apiKey.id, limit: 100 },
  });
  expect(one?.headers.get("x-service-limit-operation")).toBe("projects.list");
  expect(Number(one?.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(Number(one?.headers.get("retry-after"))).toBeLessThanOrEqual(60);
  expect(one?.headers.get("ratelimit-policy")).toBe('"projects.list";q=100;w=60');
  expect(one?.headers.get("ratelimit")).toMatch(/^"projects.list";r=0;t=\d+$/);
});

test("slides: calls count for 60 seconds and one succeeds right after Retry-After", async () => {
  const { key, apiKey } = await api.createRootKey({ limits: { "*": { requestsPerMinute: 3 } } });
  for (let call = 0; call < 3; call++) expect((await list(key)).status).toBe(200);
  const refused = await list(key);
  expect(refused.status).toBe(429);
  // Moves time by moving the counters into the past.
  const shift = (ms: number) =>
    api.platform.database
      .client`update rate_limit_counters set at = array(select u - ${ms}::bigint from unnest(at) u)
      where key_id = (select id from api_keys where prefix = ${apiKey.prefix})`;
  await shift(Number(refused.headers.get("retry-after")) * 1000 - 15_000);
  expect((await list(key)).status).toBe(429);
  await shift(15_000);
  expect((await list(key)).status).toBe(200);
});

test("applies every ancestor's limit and every covering selector, and refused calls use up nothing", async () => {
  const root = await api.createRootKey({ limits: { "*": { requestsPerMinute: 5 } } });
  const child = await api.createChild(root.key, { limits: { "projects.list": { requestsPerMinute: 2 } } });
  expect([(await list(child.key)).status, (await list(child.key)).status]).toEqual([200, 200]);
  for (let call = 0; call < 5; call++) {
    const refused = await list(child.key);
    expect(refused.body.error.limit).toMatchObject({ operation: "projects.list", keyId: child.apiKey.id });
  }
  // On the root the child's creation counted once and the two lists twice: two places are left.
  expect([
    (await list(root.key)).status,
    (await list(root.key)).status,
    (await list(root.key)).status,
  ]).toEqual([200, 200, 429]);
});

test("counts invalid calls and replays", async () => {
  const { key } = await api.createRootKey({ limits: { "projects.create": { requestsPerMinute: 3 } } });
  const idempotencyKey = "counted-once";
  const create = (body: unknown) => api.send("POST", "/v1/projects", { key, body, idempotencyKey });
  expect((await create({})).status).toBe(400);
  expect((await create({ name: "a" })).status).toBe(201);
  expect((await create({ name: "a" })).headers.get("idempotent-replayed")).toBe("true");
  expect((await create({ name: "a" })).status).toBe(429);
});

test("holds maxConcurrent over parallel calls and gives places back", async () => {
  const { key } = await api.createRootKey({ limits: { "projects.list": { maxConcurrent: 2 } } });
  const answers = await Promise.all(Array.from({ length: 40 }, () => list(key)));
  const statuses = new Set(answers.map((answer) => answer.status));
  expect([...statuses].sort()).toEqual([200, 429]);
  const refused = answers.find((answer) => answer.status === 429);
  expect(refused?.body.error.limit).toMatchObject({ kind: "maxConcurrent", limit: 2, resetAt: null });
  const later = await list(key);
  expect(later.status).toBe(200);
  expect(later.headers.get("ratelimit-policy")).toBe('"projects.list";q=2;qu="concurrent-requests"');
  expect(later.headers.get("ratelimit")).toBe('"projects.list";r=1');
});

test("rebuilds counters that a crash of the database emptied", async () => {
  const { leaf } = await chainOfNine({ "*": { requestsPerMinute: 60 } });
  // Eight children were created with keys below the root, each of which counted on it.
  const before = await Promise.all(Array.from({ length: 30 }, () => list(leaf.key)));
  expect(before.filter((answer) => answer.status === 200)).toHaveLength(30);
  await api.platform.database.client`truncate rate_limit_counters, leases`;
  const after = await Promise.all(Array.from({ length: 100 }, () => list(leaf.key)));
  expect(after.filter((answer) => answer.status === 200)).toHaveLength(22);
});
