import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "#db/client.ts";
import { sealBatch } from "#server/audit/seal-events.ts";
import { defined } from "#server/base/defined.ts";
import { migrate } from "#server/boot/migrate.ts";
import { startApi } from "#server/testing/api.ts";
import { failingOperation } from "#server/testing/failing-operation.ts";
import { createOldDatabase } from "#server/testing/old-database.ts";

const api = await startApi({ extra: [failingOperation], settings: { auditArchiveMonths: 999 } });

type Group = { key: string | null; requests: number; errors: number; limited: number };

async function usageOf(key: string, query: string) {
  const { usage } = await api.mustSend(200, "GET", `/v1/usage?operation=projects.list&${query}`, { key });
  return usage as { totals: Group; groups: Group[] };
}
const countsOf = ({ groups }: { groups: Group[] }) =>
  groups.map(({ key, requests, errors, limited }) => [key, requests, errors, limited]);

test("groups by HTTP status, and counts the requests of one outcome, whether chained or not", async () => {
  const { key } = await api.createRootKey({ limits: { "projects.list": { requestsPerMinute: 4 } } });
  const other = await api.createChild(key, { scopes: ["files:read"] });
  for (const _ of [1, 2, 3]) await api.mustSend(200, "GET", "/v1/projects", { key });
  await api.mustSend(400, "GET", "/v1/projects?limit=0", { key });
  for (const _ of [1, 2]) await api.mustSend(429, "GET", "/v1/projects", { key });
  await api.mustSend(403, "GET", "/v1/projects", { key: other.key });
  await api.mustSend(500, "GET", "/v1/test/fail", { key });
  const from = new Date(Date.now() - 3_600_000).toISOString();
  for (const state of ["pending", "chained"]) {
    expect(countsOf(await usageOf(key, "groupBy=status")), state).toEqual([
      ["200", 3, 0, 0],
      ["429", 2, 0, 2],
      ["400", 1, 1, 0],
      ["403", 1, 1, 0],
    ]);
    const denied = await usageOf(key, "groupBy=status&outcome=denied");
    expect(countsOf(denied), state).toEqual([
      ["429", 2, 0, 2],
      ["400", 1, 1, 0],
      ["403", 1, 1, 0],
    ]);
    expect(denied.totals, state).toMatchObject({ requests: 4, errors: 2, limited: 2 });
    expect((await usageOf(key, "groupBy=hour&outcome=allowed")).totals.requests, state).toBe(3);
    expect((await usageOf(key, `groupBy=minute&outcome=allowed&from=${from}`)).totals.requests, state).toBe(
      3,
    );
    expect((await usageOf(key, "outcome=error")).totals, state).toMatchObject({ requests: 0, p50Ms: null });
    const limited = await usageOf(key, "groupBy=status&status=429");
    expect(countsOf(limited), state).toEqual([["429", 2, 0, 2]]);
    expect(limited.totals, state).toMatchObject({ requests: 2, errors: 0, limited: 2 });
    const forbidden = await usageOf(key, `groupBy=minute&status=403&from=${from}`);
    expect(forbidden.totals, state).toMatchObject({ requests: 1, errors: 1 });
    expect((await usageOf(key, "outcome=allowed&status=403")).totals.requests, state).toBe(0);
    const { usage } = await api.mustSend(200, "GET", "/v1/usage?groupBy=operation&outcome=error", { key });
    expect(countsOf(usage), state).toEqual([["test.fail", 1, 1, 0]]);
    await sealBatch(api.platform.database.client);
  }
  const unknown = await api.mustSend(400, "GET", "/v1/usage?outcome=failed", { key });
  expect(unknown.error.issues).toMatchObject([{ path: "query.outcome" }]);
  const impossible = await api.mustSend(400, "GET", "/v1/usage?status=99", { key });
  expect(impossible.error.issues).toMatchObject([{ path: "query.status" }]);
});

test("knows the outcome of an hour from before statuses were counted only if all its requests had the same", async () => {
  const { url, tags, migrateTo } = await createOldDatabase("migrate_usage_status");
  await migrateTo(defined(tags[tags.findIndex((tag) => tag.endsWith("usage_by_status")) - 1]));
  const client = postgres(url, { max: 1, onnotice: () => undefined });
  const account = "01a216b1-475c-7974-9362-d153829f486c";
  const none = "00000000-0000-0000-0000-000000000000";
  for (const [hour, requests, errors, limited] of [
    ["2026-01-01T01:00:00Z", 5, 0, 0],
    ["2026-01-01T02:00:00Z", 4, 0, 4],
    ["2026-01-01T03:00:00Z", 7, 2, 1],
  ] as const)
    await drizzle(client).execute(sql`
      insert into usage_hours (account_id, hour, operation, selector, actor_id, project_id, end_user_id, actor_type, requests,
        errors, limited, charged_credits, histogram)
      values (${account}, ${hour}, 'projects.list', 'projects.list', ${account}, ${none}, ${none}, 'key', ${requests},
        ${errors}, ${limited}, 0, array[${requests}]::int[])`);
  await client.end();

  const database = openDatabase(await migrate(url));
  onTestFinished(() => database.close());
  const counted = async (group: string, outcome: string | null, status: number | null = null) => {
    const rows = await database.db.execute<{
      key: string | null;
      requests: string;
    }>(sql`
      select * from usage_by(${account}, '2026-01-01', '2026-01-02', null, null, null, null, ${group}, '{}', '[]', ${outcome},
        ${status})
      where not is_total`);
    return rows.map(({ key, requests }) => [key, Number(requests)]);
  };
  expect(await counted("status", null)).toEqual([[null, 16]]);
  expect(await counted("day", "allowed")).toEqual([["2026-01-01", 5]]);
  expect(await counted("day", "denied")).toEqual([["2026-01-01", 4]]);
  expect(await counted("day", "error")).toEqual([]);
  expect(await counted("day", null, 200)).toEqual([]);
});
