import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import postgres from "postgres";
import { readCommand, waitUntilGone } from "#server/boot/processes.ts";
import type { Installation } from "../installation.ts";

/** The library for payments starts this check before it awaits it. */
const STARTED_EARLY = "failed to check whether asset is a contract";

/** How long programs and statements may take to end after their process. */
const GONE_MS = 10_000;
/** The message about a deadlock, with the statements that it was between. */
const LINES_OF_DEADLOCK = 12;

/** Messages that mean a fault of the program itself. */
const NEVER_LOGGED = [
  "A promise was rejected without a handler.",
  "The process failed and stops.",
  "The process ends, although not everything stopped in time.",
];

/** Returns log entries of the processes that no applied fault explains. */
export function checkLogs({ folder }: Installation): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".log"))
    .flatMap((name) => {
      const lines = readFileSync(`${folder}/${name}`, "utf8").split("\n");
      const found = lines.filter(
        (line) => NEVER_LOGGED.some((message) => line.includes(message)) && !line.includes(STARTED_EARLY),
      );
      return found.map((line) => `${name}: ${line.slice(0, 2000)}`);
    });
}

/**
 * Checks that the databases have ended no transaction because of a deadlock: the platform repeats such a transaction, so
 * that nothing else shows that locks are taken in different orders.
 */
export function checkDeadlocks({ cluster, tenants }: Installation): string[] {
  return [cluster, tenants].flatMap(({ logFile }) => {
    const lines = readFileSync(logFile, "utf8").split("\n");
    return lines.flatMap((line, nth) =>
      line.includes("deadlock detected") ? [lines.slice(nth, nth + LINES_OF_DEADLOCK).join("\n")] : [],
    );
  });
}

/** Checks that the ended processes have left no program running. */
export async function checkPrograms({ programs }: Installation): Promise<string[]> {
  const faults: string[] = [];
  for (const { name, pid, command } of programs()) {
    // Another process may have its id by now.
    const remains = () => readCommand(pid) === command;
    if (command === "" || !remains() || (await waitUntilGone(pid, GONE_MS)) || !remains()) continue;
    faults.push(
      `${name} has ended, and its program ${pid} runs: ${command.replaceAll("\0", " ").slice(0, 500)}`,
    );
  }
  return faults;
}

/** Checks that the ended processes have left no session behind in the platform's database, or in an account's. */
export async function checkSessions({ database, tenants }: Installation): Promise<string[]> {
  const rows = await database.db.execute<{ name: string; state: string }>(
    sql`select application_name as name, state from pg_stat_activity
      where application_name ~ '^(web|worker)-' and datname = current_database()`,
  );
  const ofTenants = await sessionsOfTenants(tenants.url());
  return [...rows, ...ofTenants].map(({ name, state }) => `${name} has ended, and its session is ${state}.`);
}

/** Returns the sessions that the tenants' cluster still has after a while: a statement may take until its deadline. */
async function sessionsOfTenants(url: string): Promise<{ name: string; state: string }[]> {
  const client = postgres(url, { max: 1 });
  const deadline = performance.now() + GONE_MS;
  try {
    for (;;) {
      const rows = await client<{ name: string; state: string }[]>`
        select application_name as name, state from pg_stat_activity
        where application_name ~ '^(web|worker)-'`;
      if (rows.length === 0 || performance.now() > deadline) return [...rows];
      await sleep(250);
    }
  } finally {
    await client.end();
  }
}
