import { randomUUID } from "node:crypto";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { exportAudit } from "#server/audit/export-audit.ts";
import { sealBatch } from "#server/audit/seal-events.ts";
import { verifyExport } from "#server/audit/verify-export.ts";
import { toUuid } from "#server/base/ids.ts";
import { sweepBlobs } from "#server/blobs/sweep-blobs.ts";
import { eraseAccount, KEPT_TABLES } from "#server/jobs/erase-account.ts";
import { apiOperations } from "#server/operations.ts";
import { ALL_SCOPES, startApi } from "#server/testing/api.ts";
import { caller, PASSWORD, signInMember, signUpAndIn, trySignIn } from "#server/testing/console.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { startJobs } from "#server/testing/jobs.ts";
import { createResource, ownedParams } from "#server/testing/resources.ts";
import { startTenantCluster } from "#server/testing/tenants.ts";
import { createStarter } from "#server/testing/workflows.ts";
import { createCreditToken } from "../keys/credit-tokens.ts";

const tenants = await startTenantCluster();
const api = await startApi({ settings: { tenantClusters: [tenants.cluster] } });
afterAll(tenants.drop);
const { client, db } = api.platform.database;

/** Returns the tables in which the account has rows, with their number. */
async function rowsOf(accountId: string): Promise<Record<string, number>> {
  const tables = await client<{ name: string }[]>`
    select c.relname as name from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`;
  const found: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await client<{ n: number }[]>`
      select count(*)::int as n from ${client(name)} where account_id = ${toUuid("account", accountId)}`;
    if (row && row.n > 0) found[name] = row.n;
  }
  return found;
}

/** Resources that stand for work under way, which keeps an account from being deleted. */
const UNFINISHED = new Set(["runId", "transferId", "transactionId", "swapId", "orderId", "routeId"]);

/** Creates an account with an owner, a key of theirs, and one resource of each kind that is not under way. */
async function createFullAccount() {
  const owner = await signUpAndIn(api);
  const { data } = await owner.mutate("apiKeys.create", { label: "Backend", scopes: ["projects:read"] });
  const token = await db.transaction((tx) => createCreditToken(tx, owner.accountId));
  const root = await api.mustSend(201, "POST", "/v1/api-keys", {
    headers: { "x-service-credit-token": token },
    body: { label: "Root", scopes: ALL_SCOPES },
  });
  const key: string = root.secret;
  const params = new Set(apiOperations.flatMap(ownedParams));
  for (const param of params) if (!UNFINISHED.has(param)) await createResource(api, key, param);
  const headers = { "x-service-end-user": "customer-7" };
  await api.mustSend(200, "GET", "/v1/projects", { key, headers });
  return { owner, key, secret: data.secret as string };
}

test("ends all access at once, and erases the account's data but not its books", async () => {
  const beside = await createFullAccount();
  const { owner, key, secret } = await createFullAccount();
  const developer = await signInMember(api, owner.accountId, "developer");
  const token = await db.transaction((tx) => createCreditToken(tx, owner.accountId));
  const { members } = (await owner.query("members.list")).data;
  expect(members).toHaveLength(2);

  const deleted = await owner.mutate("account.delete");
  expect(deleted).toMatchObject({ status: 200, data: { account: { id: owner.accountId } } });
  for (const each of [key, secret])
    expect((await api.send("GET", "/v1/projects", { key: each })).body.error.code).toMatch(/revoked/);
  const headers = { "x-service-credit-token": token };
  const body = { label: "Late", scopes: ["projects:read"] };
  expect((await api.send("POST", "/v1/api-keys", { headers, body })).status).toBe(401);
  for (const { query } of [owner, developer]) expect((await query("members.list")).status).toBe(401);
  expect(await trySignIn(api, { email: owner.email, password: PASSWORD })).toMatchObject({
    error: expect.any(String),
  });

  await sealBatch(client);
  // A worker was killed in the middle of it.
  const account = toUuid("account", owner.accountId);
  const nil = "00000000-0000-0000-0000-000000000000";
  for (let times = 0; times < 2; times++) await client`select erase_people(${account}, ${nil}, 1000)`;
  await eraseAccount(db, owner.accountId);
  await sweepBlobs(db, api.platform.blobs);
  const left = await rowsOf(owner.accountId);
  expect(Object.keys(left).filter((name) => !KEPT_TABLES.includes(name))).toEqual([]);
  expect(left).toMatchObject({ ledger_entries: expect.any(Number), wallets: 1, closed_accounts: 1 });
  // The chain of its audit still verifies, and names nobody.
  const lines: string[] = [];
  const whole = { accountId: owner.accountId, from: null, to: null };
  for await (const line of exportAudit(api.platform.database, api.platform.settings.auditSigningKey, whole))
    lines.push(JSON.stringify(line));
  expect((await verifyExport(lines)).last).toBeGreaterThan(1);
  for (const name of [owner.email, "Ada", "Backend", "customer-7", "127.0.0.1"])
    expect(lines.join("\n")).not.toContain(name);
  // Once more after a crash.
  await eraseAccount(db, owner.accountId);

  // The person starts anew with the same address.
  const again = { name: "Ada", email: owner.email, password: PASSWORD };
  expect((await caller(api, "").mutate("signUp", again)).status).toBe(200);
  const files = await api.send("GET", "/v1/files", { key: beside.key });
  const file = await api.send("GET", `/v1/files/${files.body.files[0].id}`, {
    key: beside.key,
    headers: { accept: "application/octet-stream" },
  });
  expect(file.status).toBe(200);
  expect((await beside.owner.query("members.list")).status).toBe(200);
});

test("erases names only once all events are chained, and a worker comes back for them", async () => {
  const { owner } = await createFullAccount();
  await owner.mutate("account.delete");
  await eraseAccount(db, owner.accountId);
  const left = await rowsOf(owner.accountId);
  expect(left).toHaveProperty("end_users");
  // From now on, nobody's calls are recorded.
  expect(left).not.toHaveProperty("api_keys");
  await sealBatch(client);
  const worker = await startJobs(api);
  onTestFinished(worker.stop);
  await expect.poll(async () => Object.keys(await rowsOf(owner.accountId))).not.toContain("end_users");
});

test("takes a key whose ancestor is gone for revoked", async () => {
  const { accountId, apiKey } = await api.createRootKey();
  const account = toUuid("account", accountId);
  const judged = (chain: string[]) => client`
    select revoked_by from judge_chain(${account}, ${chain}::uuid[], 0, null, null, '{}', true, null, null)`;
  const own = toUuid("apiKey", apiKey.id);
  expect(await judged([own])).toEqual([{ revoked_by: null }]);
  expect(await judged([own, randomUUID()])).toEqual([{ revoked_by: own }]);
});

test("erases nothing of an account that nobody has deleted", async () => {
  const { owner } = await createFullAccount();
  const before = await rowsOf(owner.accountId);
  await eraseAccount(db, owner.accountId);
  expect(await rowsOf(owner.accountId)).toEqual(before);
});

test("keeps a person who belongs to another account", async () => {
  const [gone, other] = [await signUpAndIn(api), await signUpAndIn(api)];
  const invited = await other.mutate("invitations.create", { email: gone.email, role: "viewer" });
  const invitation: string = invited.data.link.split("/").at(-1);
  const credentials = { email: gone.email, password: PASSWORD };
  expect((await trySignIn(api, { ...credentials, invitation })).error).toBeNull();
  expect((await gone.mutate("account.delete")).status).toBe(200);
  expect((await trySignIn(api, credentials)).error).toBeNull();
});

test("refuses while work of the account has not ended and says which, and is done once it has", async () => {
  const worker = await startJobs(api);
  onTestFinished(worker.stop);
  const starter = await createStarter(api);
  const owner = await signInMember(api, starter.accountId, "owner");
  await api.mustSend(201, "POST", "/v1/databases/account", { key: starter.root, body: {} });
  const runId = await starter.start({ name: "Long", steps: [{ id: "pause", type: "wait", seconds: 3600 }] });
  const refused = await owner.mutate("account.delete");
  expect(refused.error).toMatchObject({ code: "state_conflict", operationState: "not_started" });
  expect(refused.error.message).toContain("a managed database and runs");
  expect((await api.send("GET", "/v1/projects", { key: starter.root })).status).toBe(200);
  await api.mustSend(202, "POST", `/v1/runs/${runId}/cancel`, { key: starter.root, body: {} });
  await api.mustSend(200, "DELETE", "/v1/databases/account", { key: starter.root });
  const removed = async () => (await owner.mutate("account.delete")).status;
  await expect.poll(removed).toBe(200);
});

test("is done once when two owners delete the account at the same moment", async () => {
  const { accountId } = await createPayingKey(api, 10);
  const owners = [await signInMember(api, accountId, "owner"), await signInMember(api, accountId, "owner")];
  const answers = await Promise.all(owners.map((owner) => owner.mutate("account.delete")));
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses[0]).toBe(200);
  expect([401, 403, 404]).toContain(statuses[1]);
});

test("leaves no key that is made at the same moment, by a token or by a member", async () => {
  const body = { label: "Late", scopes: ["projects:read"] };
  for (let round = 0; round < 8; round++) {
    const owner = await signUpAndIn(api);
    const token = await db.transaction((tx) => createCreditToken(tx, owner.accountId));
    const headers = { "x-service-credit-token": token };
    const [deleted, byToken, byMember] = await Promise.all([
      owner.mutate("account.delete"),
      api.send("POST", "/v1/api-keys", { headers, body }),
      owner.mutate("apiKeys.create", body),
    ]);
    expect(deleted.status).toBe(200);
    expect([201, 401]).toContain(byToken.status);
    expect([200, 401]).toContain(byMember.status);
    for (const key of [byToken.body.secret, byMember.data?.secret])
      if (key)
        expect((await api.send("GET", "/v1/projects", { key })).body.error?.code).toBe("api_key_revoked");
  }
});
