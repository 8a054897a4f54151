import { generateKeyPairSync } from "node:crypto";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { publicKeyOf } from "#server/base/ed25519.ts";
import { newUuidAt, uuidOf } from "#server/base/ids.ts";
import { startApi } from "#server/testing/api.ts";
import { dropOldEvents } from "./drop-old-events.ts";
import { erasePerson } from "./erase-person.ts";
import { eraseRequestDetails } from "./erase-request-details.ts";
import { exportAudit } from "./export-audit.ts";
import { sealBatch } from "./seal-events.ts";
import { signHeads } from "./sign-heads.ts";
import { verifyExport } from "./verify-export.ts";

const api = await startApi();
const { database, settings } = api.platform;
const signingKey = settings.auditSigningKey;

async function linesOf(
  accountId: string,
  period: { from?: string; to?: string } = {},
  key = signingKey,
): Promise<string[]> {
  const lines: string[] = [];
  const request = { accountId, from: period.from ?? null, to: period.to ?? null };
  for await (const line of exportAudit(database, key, request)) lines.push(JSON.stringify(line));
  return lines;
}

/** Creates an account with six chained events; the first three were signed before the others were created. */
async function createHistory() {
  // Characters that JSON can encode in several ways.
  const account = await api.createRootKey({ label: 'Key "\\/" \u2028 \u007f \u0001 💩 é\u0301' });
  const create = (name: string) =>
    api.send("POST", "/v1/projects", {
      key: account.key,
      body: { name },
      headers: { "x-service-end-user": "ada", "user-agent": name === "e" ? "" : name },
    });
  for (const name of ["a", "b"]) await create(name);
  await sealBatch(database.client);
  await signHeads(database.db, signingKey);
  for (const name of ["ü", "d", "e"]) await create(name);
  return account;
}

/** Adds an event from before the test. */
async function addEvent(accountId: string, at: Date) {
  await database.client`insert into audit_pending
    (account_id, id, at, actor_type, operation, selector, counted, outcome, status, request_id, ip, user_agent, duration_ms)
    values (${uuidOf("account", accountId)}, ${newUuidAt(at)}, ${at.toISOString()}, 'system', 'test', 'test', false,
      'allowed', 200, 'req_test', '10.0.0.1', 'old', 0)`;
}

/** Changes the n-th matching line of a complete export. */
function changed(
  lines: string[],
  place: number,
  change: (line: { event: object; personal: object }) => void,
): string[] {
  return lines.map((text, index) => {
    if (index !== place) return text;
    const line = JSON.parse(text);
    change(line);
    return JSON.stringify(line);
  });
}

const faultOf = (lines: string[], trusted?: string[]) =>
  verifyExport(lines, trusted).then(
    () => null,
    (error: Error) => error.message,
  );

const { accountId } = await createHistory();
// The lines: start, three events, a signed head, three events, a signed head, end.
const whole = await linesOf(accountId);
const ids = whole.map((line) => JSON.parse(line).event?.id);

test("verifies a whole export offline, by the key that signed it", async () => {
  expect(whole.map((line) => JSON.parse(line).type)).toEqual(
    "export event event event head event event event head end".split(" "),
  );
  expect(await verifyExport(whole)).toEqual({
    accountId,
    events: 6,
    first: 1,
    last: 6,
    signedHeads: 2,
    erased: 0,
    publicKeys: [publicKeyOf(signingKey)],
  });
  expect(await faultOf(whole, [publicKeyOf(signingKey)])).toBeNull();
  const other = publicKeyOf(generateKeyPairSync("ed25519").privateKey);
  expect(await faultOf(whole, [other])).toMatch(
    /^Line 5: The head at sequence 3 is signed by .* not a key to be trusted\.$/,
  );
});

test("verifies an export whose signing key was replaced, by both keys", async () => {
  const history = await createHistory();
  const newKey = generateKeyPairSync("ed25519").privateKey;
  const lines = await linesOf(history.accountId, {}, newKey);
  const both = [publicKeyOf(signingKey), publicKeyOf(newKey)];
  expect(await verifyExport(lines, both)).toMatchObject({ events: 6, signedHeads: 2, publicKeys: both });
  expect(await faultOf(lines, [publicKeyOf(newKey)])).toMatch(
    /^Line 5: The head at sequence 3 is signed by .* not a key to be trusted\.$/,
  );
});

test("finds a changed event", async () => {
  for (const change of [
    (event: object) => Object.assign(event, { status: 200 }),
    (event: object) => Object.assign(event, { at: "2026-01-01T00:00:00.000Z" }),
    (event: object) => Object.assign(event, { extra: null }),
    (event: object) => Object.assign(event, { hash: "0".repeat(64) }),
  ]) {
    const fault = await faultOf(changed(whole, 2, (line) => change(line.event)));
    expect(fault).toMatch(new RegExp(`^Line 3: Event ${ids[2]} \\(sequence 2\\) was changed`));
  }
});

test("finds a personal field that was changed or taken out", async () => {
  const renamed = changed(whole, 2, (line) => Object.assign(line.event, { endUser: "eve" }));
  expect(await faultOf(renamed)).toBe(
    `Line 3: Event ${ids[2]}: endUser was changed; "eve" does not have its digest.`,
  );
  const taken = changed(whole, 2, (line) => Object.assign(line.event, { ip: null }));
  expect(await faultOf(taken)).toBe(`Line 3: Event ${ids[2]}: ip was taken out.`);
  const hidden = changed(whole, 2, (line) => {
    Object.assign(line.event, { ip: null });
    Object.assign(line.personal, { ip: null });
  });
  expect(await faultOf(hidden)).toMatch(/^Line 3: Event .* was changed/);
});

test("finds removed, repeated and reordered events", async () => {
  const removed = whole.toSpliced(2, 1);
  expect(await faultOf(removed)).toBe(`Line 3: Event ${ids[3]} has sequence 3 where 2 is due.`);
  const repeated = whole.toSpliced(2, 0, defined(whole[1]));
  expect(await faultOf(repeated)).toBe(`Line 3: Event ${ids[1]} has sequence 1 where 2 is due.`);
  const reordered = whole.with(1, defined(whole[2])).with(2, defined(whole[1]));
  expect(await faultOf(reordered)).toBe(`Line 2: Event ${ids[2]} has sequence 2 where 1 is due.`);
});

test("finds an inserted event, renumbered or not", async () => {
  const inserted = changed(whole.toSpliced(2, 0, defined(whole[2])), 2, (line) =>
    Object.assign(line.event, { operation: "projects.archive" }),
  );
  expect(await faultOf(inserted)).toMatch(/^Line 3: Event .* \(sequence 2\) was changed/);
  const renumbered = changed(whole.toSpliced(2, 0, defined(whole[1])), 2, (line) =>
    Object.assign(line.event, { sequence: 2 }),
  );
  expect(await faultOf(renumbered)).toMatch(/^Line 3: Event .* does not follow the one before it/);
});

test("finds a cut at either end and a forged signature", async () => {
  expect(await faultOf(whole.slice(0, -1))).toBe(
    "Line 10: The closing statement is missing: the export was cut off.",
  );
  expect(await faultOf(whole.slice(0, 5))).toMatch(/closing statement is missing/);
  expect(await faultOf([...whole.slice(0, 5), defined(whole.at(-1))])).toBe(
    "Line 6: The export ends at sequence 3; it was closed at 6.",
  );
  expect(await faultOf(whole.slice(1))).toMatch(/^Line 1: The first line is not that of an export/);
  const shifted = changed(whole.toSpliced(1, 3), 0, (line) => Object.assign(line, { start: 3 }));
  expect(await faultOf(shifted)).toMatch(/The closing statement is of another export\.$/);
  const forged = changed(whole, 4, (line) => Object.assign(line, { signedAt: "2026-01-01T00:00:00.000Z" }));
  expect(await faultOf(forged)).toBe(
    "Line 5: The head at sequence 3 bears a signature that is not its key's.",
  );
  expect(await faultOf(["{}", "not JSON"])).toBe(
    'Line 1: The first line is not that of an export ("type": "export").',
  );
  expect(await faultOf([defined(whole[0]), "not JSON"])).toMatch(/^Line 2: Not a line of an export/);
});

test("finds a chain that was rewritten in the database after its head was signed", async () => {
  const victim = await createHistory();
  const account = uuidOf("account", victim.accountId);
  await sealBatch(database.client);
  // The database's owner rewrites the chain with another status for the second event, and has it sealed again.
  await database.client`insert into audit_pending
    select account_id, id, at, actor_type, actor_id, actor_label, operation, selector, counted, resource, outcome,
      case when sequence = 2 then 403 else status end, error_code, request_id, project_id, end_user_id, ip, user_agent,
      duration_ms, charged_credits, secret_version from audit_chain where account_id = ${account}`;
  await database.client`delete from audit_chain where account_id = ${account}`;
  await database.client`delete from audit_heads where account_id = ${account}`;
  const fault = await faultOf(await linesOf(victim.accountId));
  expect(fault).toMatch(/^Line 5: The head at sequence 3 was signed with the hash/);
});

test("verifies an export of a period from the signed head before it to the one after it", async () => {
  const { key, accountId } = await createHistory();
  const [latest] = (await api.send("GET", "/v1/audit-events?limit=1", { key })).body.auditEvents;
  const lines = await linesOf(accountId, { from: latest.at });
  expect(await verifyExport(lines)).toMatchObject({ first: 4, last: 7, signedHeads: 2 });
  expect(await faultOf(lines.toSpliced(1, 1))).toMatch(
    /^Line 2: The signed head that the export begins at is missing/,
  );
  await expect(linesOf(accountId, { to: "2020-01-01T00:00:00.000Z" })).rejects.toThrow("no audit events");
});

test("erases an end user, a key's label and old requests' details, and the chain still verifies", async () => {
  const { key, accountId, apiKey } = await createHistory();
  await addEvent(accountId, new Date(Date.now() - 40 * 86_400_000));
  await linesOf(accountId);
  await eraseRequestDetails(database.db);
  expect(await erasePerson(database.db, accountId, { endUser: "ada" })).toBe(true);
  expect(await erasePerson(database.db, accountId, { endUser: "ada" })).toBe(false);
  expect(await erasePerson(database.db, accountId, { key: apiKey.id })).toBe(true);
  expect(await verifyExport(await linesOf(accountId))).toMatchObject({ events: 7, erased: 22 });
  const { auditEvents } = (await api.send("GET", "/v1/audit-events?operation=projects.create", { key })).body;
  for (const event of auditEvents)
    expect(event).toMatchObject({
      actor: { id: apiKey.id, label: null },
      endUser: null,
      ip: null,
      userAgent: null,
    });
  const [row] = await database.client`select encode(salt, 'hex') as salt from audit_chain
    where account_id = ${uuidOf("account", accountId)} and sequence = 2`;
  expect(row?.salt).toBe("0".repeat(128));
});

test("signs where a chain is cut before old months are dropped, so that the rest verifies", async () => {
  const { key, accountId } = await api.createRootKey();
  for (const at of ["2024-01-31T23:59:59.000Z", "2024-02-01T00:00:00.000Z"])
    await addEvent(accountId, new Date(at));
  await sealBatch(database.client);
  await database.client`select ensure_partitions()`;
  await api.send("GET", "/v1/projects", { key });
  expect(await verifyExport(await linesOf(accountId))).toMatchObject({ first: 1, last: 4 });
  const january = await database.db.execute<{ months: number }>(
    sql`select (extract(year from age(now(), '2024-03-01')) * 12 + extract(month from age(now(), '2024-03-01')))::int + 1 as months`,
  );
  expect(await dropOldEvents(database.db, signingKey, defined(january[0]?.months))).toEqual([
    "audit_chain_2024_01",
  ]);
  expect(await verifyExport(await linesOf(accountId))).toMatchObject({ first: 2, last: 4 });
});
