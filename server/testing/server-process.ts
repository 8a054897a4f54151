import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { unique } from "./api.ts";
import { startReadyNode } from "./children.ts";
import { processPath } from "./program-path.ts";

/**
 * Starts the API as another process, for a test to kill; `options` as for `api-server.ts`. It ends with the test at the
 * latest.
 */
export const startServer = (databaseUrl: string, ...options: string[]) => start([], databaseUrl, options);

/**
 * Starts the API like `startServer` in a process that dies if JavaScript's values take more than 300 MB, for tests with
 * calls that once took many times the memory of what they carry.
 */
export const startSmallServer = (databaseUrl: string, ...options: string[]) =>
  start(["--max-old-space-size=300"], databaseUrl, options);

async function start(flags: readonly string[], databaseUrl: string, options: readonly string[]) {
  const name = unique("server");
  const env = { ...process.env, PGAPPNAME: name };
  const args = [...flags, processPath("api-server"), databaseUrl, ...options];
  const { child, line: port } = await startReadyNode(args, { env });

  /** Waits until the killed process has no session left: its last statements may still be running. */
  async function untilGone() {
    const sql = postgres(databaseUrl, { max: 1 });
    const sessions = () => sql`select from pg_stat_activity where application_name = ${name}`;
    while ((await sessions()).length > 0) await sleep(20);
    await sql.end({ timeout: 5 });
  }
  return { origin: `http://127.0.0.1:${port}`, name, child, untilGone };
}
