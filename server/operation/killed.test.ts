import { expect, test } from "vitest";
import { exportAudit } from "#server/audit/export-audit.ts";
import { verifyExport } from "#server/audit/verify-export.ts";
import { idOf, toUuid, uuidOf } from "#server/base/ids.ts";
import { startApi, unique } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { createTestDatabase } from "#server/testing/database.ts";
import { mapConcurrently } from "#server/testing/map-concurrently.ts";
import { startServer } from "#server/testing/server-process.ts";

const database = await createTestDatabase();
const api = await startApi({ database });

/** A write whose idempotency key is the name in its body, sent to one of the processes. */
type Write = (origin: string, name: string) => Promise<number>;

function post(key: string, path: string, bodyOf: (name: string) => unknown): Write {
  return async (origin, name) => {
    const answer = await fetch(`${origin}${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "idempotency-key": name,
        "content-type": "application/json",
      },
      body: JSON.stringify(bodyOf(name)),
    });
    return answer.status;
  };
}

/**
 * Sends 200 writes to a process, 40 at a time, kills it after 50 responses, and repeats each at another process with its
 * key: acknowledged writes are replayed, others are executed now. Returns their names and the statuses before and
 * after.
 */
async function writeThroughKill(write: Write, done: number) {
  const names = Array.from({ length: 200 }, () => unique("killed"));
  const { origin, child, untilGone } = await startServer(database.url);
  let answered = 0;
  const before = await mapConcurrently(names, 40, async (name) => {
    const status = await write(origin, name).catch(() => null);
    if (status === done) answered += 1;
    if (answered === 50) child.kill("SIGKILL");
    return status;
  });
  await untilGone();
  const next = await startServer(database.url);
  /** Repeats what a busy machine refuses at first, as clients do. */
  async function insist(name: string): Promise<number> {
    const status = await write(next.origin, name);
    return status === 503 || status === 409 ? insist(name) : status;
  }
  const after = await Promise.all(names.map(insist));
  return { names, before, after };
}

/** Verifies an account's exported chain and its number of events. */
async function verifyChain(accountId: string) {
  const { database, settings } = api.platform;
  const lines: string[] = [];
  const period = { from: null, to: null };
  for await (const line of exportAudit(database, settings.auditSigningKey, { accountId, ...period }))
    lines.push(JSON.stringify(line));
  const [written] = await database.client`
    select count(*)::int as events from audit_events where account_id = ${uuidOf("account", accountId)}`;
  return { found: await verifyExport(lines), written: written?.events };
}

test("leaves no half-done effect when the server is killed in the middle of writes", async () => {
  const { key, accountId } = await api.createRootKey();
  const create = post(key, "/v1/projects", (name) => ({ name, slug: name }));
  const { names, before, after } = await writeThroughKill(create, 201);
  expect(before).toContain(null);
  expect(new Set(after)).toEqual(new Set([201]));

  const { client } = api.platform.database;
  const projects = await client`select id, slug from projects where slug = any(${names})`;
  expect(projects).toHaveLength(200);
  const recorded = await client`
    select distinct resource from audit_events where operation = 'projects.create' and outcome = 'allowed'`;
  const resources = new Set(recorded.map((row) => row.resource));
  expect(projects.filter((project) => !resources.has(idOf("project", project.id)))).toEqual([]);
  expect(await client`select from idempotency_records where state = 'running'`).toHaveLength(0);
  const { found, written } = await verifyChain(accountId);
  expect(found).toMatchObject({ accountId, first: 1, events: written });
});

test("charges each call once when the server is killed in the middle of charged calls", async () => {
  const { key, accountId } = await createPayingKey(api, 1000, { limits: { "*": { creditsPerDay: 900 } } });
  const put = post(key, "/v1/services/managed-memory/invoke", (name) => ({
    operationId: "put",
    input: { name, content: "Written while the server is killed" },
  }));
  const { names, before, after } = await writeThroughKill(put, 200);
  expect(before).toContain(null);
  expect(new Set(after)).toEqual(new Set([200]));

  const { client } = api.platform.database;
  const account = toUuid("account", accountId);
  expect(await client`select from memories where name = any(${names})`).toHaveLength(200);
  expect(
    await client`
    select book, posted::int, held::int from ledger_accounts where account_id = ${account} order by book`,
  ).toEqual([
    { book: "customer", posted: 800, held: 0 },
    { book: "grant", posted: -1000, held: 0 },
    { book: "usage", posted: 200, held: 0 },
  ]);
  expect(
    await client`
    select count(distinct transaction_id)::int as transactions, sum(amount)::int as sum
    from ledger_entries where account_id = ${account}`,
  ).toEqual([{ transactions: 201, sum: 0 }]);
  expect(await client`select used::int from key_days where account_id = ${account}`).toEqual([{ used: 200 }]);
  expect(
    await client`
    select sum(charged_credits)::int as charged from audit_events where account_id = ${account}`,
  ).toEqual([{ charged: 200 }]);
  const { found, written } = await verifyChain(accountId);
  expect(found).toMatchObject({ accountId, first: 1, events: written });
});
