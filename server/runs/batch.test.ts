import { once } from "node:events";
import { expect, test } from "vitest";
import { startApi, unique } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { startServer } from "#server/testing/server-process.ts";

const api = await startApi();
const put = (content: string) => ({
  serviceId: "managed-memory",
  operationId: "put",
  input: { name: content, content },
});
const batch = (key: string, items: unknown[], idempotencyKey = unique("batch")) =>
  api.send("POST", "/v1/runs/batch", { key, body: { items }, idempotencyKey });
const runsOf = async (key: string) => (await api.send("GET", "/v1/runs?limit=100", { key })).body.runs;

test("creates each run of a batch, and says of each what was refused", async () => {
  const { key } = await createPayingKey(api, 100);
  const items = [
    { ...put("first"), tags: ["batch"], priority: 2 },
    { ...put("bad"), priority: 11 },
    { ...put("unknown"), strange: true },
    { ...put("nowhere"), serviceId: "nowhere" },
    { ...put("last"), debounce: { key: "last", seconds: 3600 } },
  ];
  const repeat = unique("batch");
  const { status, body } = await batch(key, items, repeat);
  expect(status).toBe(200);
  expect(body.results).toMatchObject([
    { ok: true, run: { input: put("first").input, tags: ["batch"], priority: 2 }, error: null },
    { ok: false, run: null, error: { code: "invalid_request", issues: [{ path: "body.priority" }] } },
    { ok: false, run: null, error: { code: "invalid_request", issues: [{ path: "body.strange" }] } },
    { ok: false, run: null, error: { issues: [] } },
    { ok: true, debounced: true, run: { status: "queued" }, error: null },
  ]);
  expect((await batch(key, items, repeat)).body).toEqual(body);
  expect(await runsOf(key)).toHaveLength(2);
});

test("counts each item on the limits and the credits of runs.create", async () => {
  const { key: root } = await createPayingKey(api, 3);
  const { key } = await api.createChild(root, { limits: { "runs.create": { requestsPerMinute: 2 } } });
  const limited = await batch(key, [put("1"), put("2"), put("3")]);
  expect(limited.body.results.map(({ error }: { error: { code: string } | null }) => error?.code)).toEqual([
    undefined,
    undefined,
    "limit_exhausted",
  ]);
  const { body } = await batch(root, [put("4"), put("5")]);
  expect(body.results).toMatchObject([{ ok: true }, { ok: false, error: { code: "insufficient_credits" } }]);
});

test("is refused to a key without runs.create, item by item, and without items", async () => {
  const { key: root } = await createPayingKey(api, 100);
  const { key } = await api.createChild(root, { allowedOperations: ["runs.batch", "runs.list"] });
  const { status, body } = await batch(key, [put("1")]);
  expect({ status, code: body.results[0].error.code }).toEqual({
    status: 200,
    code: "operation_not_allowed",
  });
  expect((await batch(root, [])).status).toBe(400);
  expect(
    (
      await batch(
        root,
        Array.from({ length: 101 }, () => put("1")),
      )
    ).status,
  ).toBe(400);
});

test("creates each run once where its process is killed amid the batch", async () => {
  const { key } = await createPayingKey(api, 1000);
  const killed = await startServer(api.databaseUrl);
  const items = [...Array(60).keys()].map((nth) => put(String(nth)));
  const idempotencyKey = unique("batch");
  const lost = fetch(`${killed.origin}/v1/runs/batch`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "idempotency-key": idempotencyKey,
    },
    body: JSON.stringify({ items }),
  }).catch(() => null);
  await expect.poll(async () => (await runsOf(key)).length, { interval: 5 }).toBeGreaterThan(0);
  killed.child.kill("SIGKILL");
  await once(killed.child, "exit");
  expect(await lost).toBeNull();
  await killed.untilGone();
  const again = async () => (await batch(key, items, idempotencyKey)).status;
  await expect.poll(again).toBe(200);
  const runs = await runsOf(key);
  expect(runs.map(({ input }: { input: { name: string } }) => input.name).toSorted()).toEqual(
    items.map(({ input }) => input.name).toSorted(),
  );
});
