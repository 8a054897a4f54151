import postgres from "postgres";
import { expect, test } from "vitest";
import { CONNECTIONS } from "#db/connections.ts";
import { startApi, unique } from "#server/testing/api.ts";

const api = await startApi();
const FLOOD = 400;

const create = (key: string) =>
  api.send("POST", "/v1/projects", { key, idempotencyKey: unique("project"), body: { name: "Project" } });

test("answers a write of one account before all that another sent earlier", async () => {
  const [{ key: busy }, { key: neighbour }] = [await api.createRootKey(), await api.createRootKey()];
  expect((await create(neighbour)).status).toBe(201);
  const ended: number[] = [];
  const flood = Array.from({ length: FLOOD }, async () => ended.push((await create(busy)).status));
  // On a machine that is too slow for all of them, some are refused, many at the same time: 429 if they had no turn.
  const made = () => ended.filter((status) => status === 201).length;
  await expect.poll(made).toBeGreaterThan(0);
  const before = made();
  expect((await create(neighbour)).status).toBe(201);
  expect(made() - before).toBeLessThan(FLOOD / 4);
  await Promise.all(flood);
  expect(ended.filter((status) => ![201, 429, 503].includes(status))).toEqual([]);
});

test("begins no write whose client has left while it waited", async () => {
  const { key } = await api.createRootKey();
  const locker = postgres(api.databaseUrl, { max: 1 });
  const leaving = new AbortController();
  await locker.begin(async (sql) => {
    await sql`lock table projects in share mode`;
    const answers = Array.from({ length: 20 }, () =>
      fetch(`${api.origin}/v1/projects`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          "idempotency-key": unique("left"),
        },
        body: JSON.stringify({ name: "Left" }),
        signal: leaving.signal,
      }).catch(() => "left"),
    );
    const waiting = "select from pg_locks where not granted and relation = 'projects'::regclass";
    await expect.poll(async () => (await sql.unsafe(waiting)).length).toBe(CONNECTIONS.transactions - 1);
    leaving.abort();
    expect(new Set(await Promise.all(answers))).toEqual(new Set(["left"]));
    expect((await api.send("GET", "/v1/projects", { key })).status).toBe(200);
  });
  await locker.end();
  // Its turn comes after theirs; those that had begun are made.
  expect((await create(key)).status).toBe(201);
  const { projects } = (await api.send("GET", "/v1/projects?limit=100", { key })).body;
  expect(projects.length).toBeLessThanOrEqual(CONNECTIONS.transactions);
});
