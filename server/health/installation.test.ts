import { hostname } from "node:os";
import postgres from "postgres";
import { afterAll, expect, test } from "vitest";
import { sealBatch } from "#server/audit/seal-events.ts";
import { setOperator } from "#server/members/set-operator.ts";
import { startApi } from "#server/testing/api.ts";
import { caller, signUpAndIn } from "#server/testing/console.ts";
import { createPayingKey } from "#server/testing/credits.ts";

const api = await startApi();
const sql = postgres(api.databaseUrl, { max: 1 });
afterAll(() => sql.end());

async function createOperator() {
  const person = await signUpAndIn(api);
  await api.platform.database.db.transaction((tx) => setOperator(tx, person.email, true));
  return { ...person, ...caller(api, person.cookie) };
}

test("shows operators components, queues and the accounts that call most", async () => {
  const { key, accountId } = await createPayingKey(api, 100);
  for (let nth = 0; nth < 3; nth++) await api.send("GET", "/v1/projects", { key });
  await api.send("GET", "/v1/projects/prj_none", { key });
  const operator = await createOperator();
  const read = async () => (await operator.query("installation.read")).data;
  await sealBatch(api.platform.database.client);
  const { health, readings, failedReadings, processes, busiest } = await read();
  // The key's creation is a request too.
  expect(busiest).toContainEqual(expect.objectContaining({ accountId, requests: 5, errors: 1 }));
  expect(health.checks).toContainEqual(expect.objectContaining({ name: "database", ok: true }));
  expect(processes).toEqual([
    {
      role: "all",
      version: "1.2.3",
      commit: "0123abc",
      host: expect.toSatisfy((host: string) => hostname().startsWith(host)),
      pid: process.pid,
      connectedSince: expect.any(String),
    },
  ]);
  expect(failedReadings).toBe(0);
  expect(readings).toContainEqual({
    name: "platform_processes_alive",
    help: "Processes of this installation that hold their lock.",
    labels: {},
    value: 1,
  });
});

test("shows how many indexes are still to be built", async () => {
  const operator = await createOperator();
  const missing = async () =>
    (await operator.query("installation.read")).data.readings.find(
      ({ name }: { name: string }) => name === "platform_indexes_missing",
    ).value;
  expect(await missing()).toBe(0);
  await sql`drop index memories_tags`;
  expect(await missing()).toBe(1);
  await sql`create index memories_tags on memories using gin (account_id, tags)`;
  expect(await missing()).toBe(0);
});

test("shows a statement that has been under way for over a second, without its values", async () => {
  const operator = await createOperator();
  const { pid } = (await sql`select pg_backend_pid() as pid`)[0] as { pid: number };
  const slow = sql`select pg_sleep(600), ${"a secret"} as told`.catch(() => undefined);
  const statements = async () => (await operator.query("installation.read")).data.statements;
  await expect
    .poll(statements)
    .toContainEqual(
      expect.objectContaining({ statement: "select pg_sleep(600), $1 as told", wait: "Timeout PgSleep" }),
    );
  await api.platform.database.client`select pg_terminate_backend(${pid})`;
  await slow;
});

test("shows the statements that took the most time, without their values", async () => {
  const operator = await createOperator();
  // Longer than the platform's own statements take on a busy machine.
  await sql`select pg_sleep(${2}), ${"a secret"} as told`;
  const { costliest } = (await operator.query("installation.read")).data;
  const statement = "select pg_sleep($1), $2 as told";
  expect(costliest).toContainEqual({
    statement,
    calls: 1,
    totalSeconds: expect.toSatisfy((seconds: number) => seconds >= 2),
    meanMs: expect.toSatisfy((ms: number) => ms >= 2000),
    share: expect.toSatisfy((share: number) => share > 0 && share <= 1),
  });
  await sql`drop extension pg_stat_statements`;
  expect((await operator.query("installation.read")).data.costliest).toBeNull();
});

test("is refused to everybody else, including owners of accounts and former operators", async () => {
  const owner = await signUpAndIn(api);
  const refused = await caller(api, owner.cookie).query("installation.read");
  expect(refused).toMatchObject({ status: 403, error: { code: "scope_missing" } });
  const operator = await createOperator();
  expect((await operator.query("installation.read")).status).toBe(200);
  await api.platform.database.db.transaction((tx) => setOperator(tx, operator.email, false));
  expect((await operator.query("installation.read")).status).toBe(403);
});
