import postgres from "postgres";
import { type Database, openDatabase } from "#db/client.ts";
import { withSearchPathOf } from "#db/search-path.ts";
import { defined } from "#server/base/defined.ts";
import { toUuid } from "#server/base/ids.ts";
import type { Env } from "../../env/read-env.ts";
import { freezeAccount, StillBusy, thawAccount } from "../../members/freeze-account.ts";
import { Refusal } from "../refusal.ts";
import { carryOver, deleteAccount, makePartitions } from "./carry-over.ts";
import { carryPeople, dropPeople, peopleOf } from "./carry-people.ts";
import { checkKeys } from "./check-keys.ts";
import {
  awaitArrival,
  awaitCopy,
  hasMoved,
  isBegun,
  markMoved,
  publish,
  subscribe,
  unpublish,
  unsubscribe,
} from "./replicate.ts";
import { routesOf, runRoute } from "./route.ts";
import { differingTables, sizesOf } from "./tables.ts";

export interface Move {
  accountId: string;
  /** The address of the other cell's primary, as this cell's PostgreSQL reaches it. */
  from: string;
  /** A shell command that reads the lines of the map. */
  route: string;
  /** How many seconds the account may be frozen before the move is given up. */
  seconds: number;
  /** True if every row is compared while the account is frozen. */
  compare: boolean;
  /** The addresses, in lower case, of people who have signed up in both cells. */
  samePeople: readonly string[];
}

type Here = Pick<Env, "cell" | "managedDatabases" | "sealingKeys" | "vault">;

/** Moves an account from another cell to this one. Until the router's map is changed, a failure undoes the move. */
export async function moveAccount(here: Database, url: string, env: Here, move: Move) {
  const account = toUuid("account", move.accountId);
  const there = openDatabase(withSearchPathOf(move.from, url), { handlers: 1, deadline: null });
  const target = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    const source = there.client;
    await checkCells(source, target, account, url);
    await checkDatabases(source, account, env);
    await checkKeys(source, account, env);
    await undo(source, target, account);
    // From here on, nobody else can sign up with these addresses.
    await carryPeople(source, target, account, move.samePeople);
    const began = performance.now();
    let frozen = began;
    try {
      await copyRows(source, target, here, move, account);
      frozen = performance.now();
      await freezeAccount(there.db, move.accountId, move);
      await awaitArrival(source, account, Date.now() + move.seconds * 1000);
      if (move.compare) await compare(source, target, account);
      // People who have joined meanwhile.
      await carryPeople(source, target, account, move.samePeople);
    } catch (reason) {
      await undo(source, target, account);
      await thawAccount(here.db, move.accountId);
      await thawAccount(there.db, move.accountId);
      throw reason instanceof StillBusy
        ? new Refusal(`The account ${move.accountId} was not moved. ${reason.message}`)
        : reason;
    }
    await unsubscribe(target, account);
    const jobs = await carryOver(source, target, account);
    await markMoved(source, account);
    await runRoute(move.route, await routesOf(target, account, env.cell)).catch((reason) => {
      throw new Refusal(
        `${reason.message} The account ${move.accountId} is in this cell, frozen: route its secrets here (npm run account -- routes), then thaw it.`,
      );
    });
    await thawAccount(here.db, move.accountId);
    const thawed = performance.now();
    const sizes = (await sizesOf(source, account)).filter(({ rows }) => rows > 0);
    return {
      accountId: move.accountId,
      tables: sizes.length,
      rows: sizes.reduce((sum, { rows }) => sum + rows, 0),
      bytes: sizes.reduce((sum, { bytes }) => sum + bytes, 0),
      jobs,
      copiedMs: Math.round(frozen - began),
      frozenMs: Math.round(thawed - frozen),
    };
  } finally {
    await Promise.all([there.close(), target.end({ timeout: 5 })]);
  }
}

/** Copies the account's rows while they change, into a cell where the account is frozen. */
async function copyRows(
  source: postgres.Sql,
  target: postgres.Sql,
  here: Database,
  move: Move,
  account: string,
): Promise<void> {
  await freezeAccount(here.db, move.accountId, move);
  await makePartitions(source, target);
  await publish(source, account);
  await subscribe(target, account, move.from);
  await awaitCopy(target, account);
}

async function compare(source: postgres.Sql, target: postgres.Sql, account: string): Promise<void> {
  const differing = await differingTables(source, target, account);
  if (differing.length > 0)
    throw new Refusal(`The replicated rows differ from the account's in ${differing.join(", ")}.`);
}

/** Undoes an incomplete move, of this process or of a killed one. */
async function undo(source: postgres.Sql, target: postgres.Sql, account: string): Promise<void> {
  const begun = await isBegun(source, target, account);
  await unsubscribe(target, account);
  if (begun) {
    await deleteAccount(target, account);
    await dropPeople(target, await peopleOf(source, account));
  }
  await unpublish(source, account);
}

async function checkCells(source: postgres.Sql, target: postgres.Sql, account: string, url: string) {
  const [ours] = await target<{ id: string; known: boolean }[]>`
    select system_identifier::text || current_database() as id,
      exists (select from accounts where id = ${account}) as known from pg_control_system()`;
  const [schema = ""] = (new URL(url).searchParams.get("search_path") ?? "").split(", ");
  const [theirs] = await source<{ level: string; id: string; known: boolean; release: boolean }[]>`
    select current_setting('wal_level') as level, system_identifier::text || current_database() as id,
      exists (select from accounts where id = ${account}) as known, to_regnamespace(${schema}) is not null as release
    from pg_control_system()`;
  if (defined(theirs).id === defined(ours).id) throw new Refusal("--from is this cell's own database.");
  if (!defined(theirs).release) throw new Refusal("The cells run different releases. Upgrade the older one.");
  if (await hasMoved(source, account))
    throw new Refusal(
      "The account has moved from there. If it is frozen here, route its secrets here (npm run account -- routes), then thaw it.",
    );
  if (!defined(theirs).known) throw new Refusal("The other cell has no such account.");
  if (defined(ours).known && !(await isBegun(source, target, account)))
    throw new Refusal("This cell has that account already.");
  if (defined(theirs).level !== "logical")
    throw new Refusal(`The other cell's wal_level is ${defined(theirs).level}. Set it to logical.`);
}

/** A managed database stays in its cluster; this cell must be configured with that cluster. */
async function checkDatabases(source: postgres.Sql, account: string, { managedDatabases }: Here) {
  const [database] = await source<{ cluster: string }[]>`
    select cluster from tenant_databases where account_id = ${account}`;
  if (database && !managedDatabases.some(({ name }) => name === database.cluster))
    throw new Refusal(
      `The account's database is in the cluster ${database.cluster}, which MANAGED_DATABASE_URLS of this cell does not name.`,
    );
}
