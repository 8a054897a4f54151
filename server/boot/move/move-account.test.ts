import { describe, expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { toUuid } from "#server/base/ids.ts";
import { clientOf } from "#server/testing/api.ts";
import { checkBooks, checkWrites, missingEvents } from "#server/testing/cells/check-writes.ts";
import { failuresOf, LOAD_SCOPES, startLoad } from "#server/testing/cells/load.ts";
import { startResident } from "#server/testing/cells/resident.ts";
import { type Cell, startCells } from "#server/testing/cells/start-cells.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { onCleanup } from "#server/testing/cleanup.ts";
import { movedTables, sizesOf } from "./tables.ts";

const CREDITS = 100_000;

const chain = await startTestChain();
const cells = await startCells([chain.settings]);
onCleanup(() => cells.stop());
const { a, b, origin } = cells;
const api = clientOf(origin);

/** Creates an account in this cell, with callers that use it until the test file ends. */
async function createAccountUnderLoad(cell: Cell, email?: string) {
  const owner = await cells.createAccount(cell, CREDITS, LOAD_SCOPES, email);
  const load = startLoad(origin, owner, 2);
  onCleanup(() => load.stop());
  const progress = async (writes: number) => {
    const before = load.writes();
    await expect.poll(() => load.writes()).toBeGreaterThan(before + writes);
  };
  return { ...load, progress };
}

/** Erases the addresses of a cell's requests as if all were old. */
async function eraseEverythingIn({ database: { client } }: Cell) {
  const erase = async () =>
    (await client<{ more: boolean }[]>`select erase_request_details(now() + interval '3 hours') as more`)[0];
  await expect.poll(erase).toEqual({ more: true });
  await expect.poll(erase).toEqual({ more: false });
}

const sizesIn = ({ database }: Cell, accountId: string) =>
  sizesOf(database.client, toUuid("account", accountId));

test("gives each moved table a replica identity that contains the account", async () => {
  const { client } = a.database;
  const names = (await movedTables(client)).map(({ name }) => name);
  // The primary key must contain the account, or all columns without generated ones: PostgreSQL would refuse every
  // change otherwise.
  const unfollowed = await client`
    select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relname = any(${names}) and c.relname <> 'accounts' and not case c.relreplident
      when 'f' then not exists (select from pg_attribute g where g.attrelid = c.oid and g.attgenerated <> '')
      else exists (select from pg_index x join pg_attribute k on k.attrelid = c.oid and k.attnum = any(x.indkey)
        where x.indrelid = c.oid and x.indisprimary and k.attname = 'account_id') end`;
  expect(unfollowed).toEqual([]);
  expect(names).toEqual(
    expect.arrayContaining(["accounts", "audit_chain", "idempotency_records", "oauth_tokens"]),
  );
});

describe("an account that moves under load", () => {
  test("loses no acknowledged write, changes nothing more in its old cell, and disturbs no other account", async () => {
    const mover = await createAccountUnderLoad(a, "ada@example.test");
    // This person has signed up in both cells.
    const besideB = await createAccountUnderLoad(b, "ada@example.test");
    const besideA = await createAccountUnderLoad(a);
    await mover.progress(40);
    const moving = cells.moveArguments(mover.accountId, a, "--compare", "yes");
    expect(await b.account(moving)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("somebody else may have signed up as ada@example.test."),
    });
    const move = JSON.parse((await b.account([...moving, "--same-people", "Ada@example.test"])).stdout);
    expect(move).toMatchObject({ accountId: mover.accountId, tables: expect.any(Number) });
    const left = await sizesIn(a, mover.accountId);
    for (const load of [mover, besideA, besideB]) await load.progress(20);
    for (const load of [mover, besideA, besideB]) await load.stop();

    expect(failuresOf(mover)).toEqual([]);
    for (const { attempts } of [besideA, besideB])
      expect(attempts.filter(({ status }) => status >= 300)).toEqual([]);
    expect(await sizesIn(a, mover.accountId)).toEqual(left);
    expect(await checkWrites(b, origin, mover, CREDITS)).toEqual([]);
    expect(await checkWrites(a, origin, besideA, CREDITS)).toEqual([]);
    expect(await checkWrites(b, origin, besideB, CREDITS)).toEqual([]);
    const people = await b.database.client`
      select u.email from members m join users u on u.id = m.user_id
      where m.account_id = ${toUuid("account", mover.accountId)}`;
    expect(people).toEqual([{ email: "ada@example.test" }]);
    expect(await b.database.client`select from users where email = 'ada@example.test'`).toHaveLength(1);

    expect(await a.account(["thaw", "--account", mover.accountId])).toMatchObject({
      code: 1,
      stderr: `The account ${mover.accountId} has moved to another cell.\n`,
    });
    expect(await a.account(["forget", "--account", mover.accountId, "--moved-to", b.url])).toMatchObject({
      code: 0,
      stderr: "",
    });
    expect((await sizesIn(a, mover.accountId)).filter(({ rows }) => rows > 0)).toEqual([]);
    for (const cell of [a, b]) expect(await checkBooks(cell)).toEqual([]);
  });

  test("stays in its cell when the move is killed; when it is repeated, is thawed only when its last rows have arrived", async () => {
    const mover = await createAccountUnderLoad(a);
    await mover.progress(10);
    const killed = new AbortController();
    const begun = b.account(cells.moveArguments(mover.accountId, a), { signal: killed.signal });
    const account = toUuid("account", mover.accountId);
    await expect
      .poll(() => b.database.client`select from api_keys where account_id = ${account}`)
      .not.toEqual([]);
    killed.abort();
    expect(await begun).toMatchObject({ code: -1 });
    await mover.progress(10);

    const moving = cells.move(mover.accountId, a, b, "--compare", "yes");
    const { client } = a.database;
    const frozen = () => client`select from frozen_accounts where account_id = ${account}`;
    await expect.poll(frozen, { interval: 5 }).toHaveLength(1);
    const [sender] = await client<{ pid: number }[]>`
      select active_pid as pid from pg_replication_slots where slot_name = ${`move_${account.replaceAll("-", "")}`}`;
    const pid = defined(sender).pid;
    let stopped = true;
    process.kill(pid, "SIGSTOP");
    onCleanup(() => stopped && process.kill(pid, "SIGCONT"));
    await expect.poll(async () => (await client`select from frozen_accounts where fenced`).length).toBe(1);
    const fencedAt = performance.now();
    const sinceFence = () => mover.attempts.filter(({ began }) => began > fencedAt);
    await expect.poll(() => sinceFence().length).toBeGreaterThan(100);
    const refused = sinceFence();
    process.kill(pid, "SIGCONT");
    stopped = false;
    await moving;
    await mover.progress(10);
    await mover.stop();
    expect(refused.filter(({ status }) => status !== 503)).toEqual([]);
    expect(failuresOf(mover)).toEqual([]);
    expect(await missingEvents(a, b, mover.accountId)).toBe(0);
    expect(await client`select slot_name from pg_replication_slots`).toEqual([]);
    expect(await checkWrites(b, origin, mover, CREDITS)).toEqual([]);
    expect(await a.account(["forget", "--account", mover.accountId, "--moved-to", b.url])).toMatchObject({
      code: 0,
    });
  });
});

test("keeps an account's wallets, apps, waiting work and history in its new cell, and after its return in the old one", async () => {
  const resident = await startResident(cells, a, chain);
  await cells.createAccount(b, CREDITS, LOAD_SCOPES);
  await eraseEverythingIn(b);
  for (const [from, to] of [
    [a, b],
    [b, a],
  ] as const) {
    const waiting = await resident.begin(from);
    const counters = await resident.countersIn(from);
    expect(counters).not.toEqual([]);
    await cells.move(resident.accountId, from, to, "--compare", "yes");
    expect(await resident.countersIn(to)).toEqual(counters);
    expect(
      await from.account(["forget", "--account", resident.accountId, "--moved-to", to.url]),
    ).toMatchObject({ code: 0, stderr: "" });
    expect(await resident.countersIn(from)).toEqual([]);
    // The erasure must still reach the addresses of the account's requests.
    const erased = await to.database.client`select from audit_erasure where until > now()`;
    expect(erased).toEqual([]);
    await resident.finish(waiting);
    // The chain of events is complete, including the archived ones.
    expect(await resident.exportFrom(to)).toMatchObject({ first: 1, accountId: resident.accountId });
    await resident.renewPassword(to);
  }
  expect(await resident.received()).toBe(resident.sends());
  for (const cell of [a, b]) expect(await checkBooks(cell)).toEqual([]);
});

test("refuses an account that can't be moved, and changes nothing", async () => {
  const { accountId } = await cells.createAccount(a, CREDITS, LOAD_SCOPES);
  const refusalOf = async (cell: Cell, id: string, from: Cell) => {
    const { code, stderr } = await cell.account(cells.moveArguments(id, from));
    expect(code).toBe(1);
    return stderr;
  };
  expect(await refusalOf(a, accountId, a)).toBe("--from is this cell's own database.\n");
  expect(await refusalOf(a, accountId, b)).toBe("The other cell has no such account.\n");
  const failing = ["move", "--account", accountId, "--from", a.url, "--route", "exit 3"];
  const routed = await b.account(failing);
  expect(routed.stderr).toContain("The command that changes the router's map ended with 3.");
  expect(await refusalOf(b, accountId, a)).toContain("The account has moved from there.");
  expect(await b.account(["thaw", "--account", accountId])).toMatchObject({ code: 0 });

  const other = await cells.createAccount(b, CREDITS, LOAD_SCOPES);
  await api.mustSend(201, "POST", "/v1/webhooks", {
    key: other.key,
    body: { url: "https://hooks.example.com", events: ["project.created"] },
  });
  const settings = { SEALING_KEY: Buffer.alloc(32, 1).toString("base64") };
  expect(await a.account(cells.moveArguments(other.accountId, b), { settings })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^This cell's SEALING_KEY lacks the other cell's, numbered \d+\. Append them\.\n$/,
    ),
  });
});
