import { readdirSync, readFileSync } from "node:fs";
import { sql } from "drizzle-orm";
import type { Installation } from "../installation.ts";

/** The library for payments starts this check before it awaits it. */
const STARTED_EARLY = "failed to check whether asset is a contract";

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

/** Checks that the ended processes have left no database session behind. */
export async function checkSessions({ database }: Installation): Promise<string[]> {
  const rows = await database.db.execute<{ name: string; state: string }>(
    sql`select application_name as name, state from pg_stat_activity
      where application_name ~ '^(web|worker)-' and datname = current_database()`,
  );
  return [...rows].map(({ name, state }) => `${name} has ended, and its session is ${state}.`);
}
