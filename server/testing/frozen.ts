import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { toUuid } from "#server/base/ids.ts";
import { holdLiveness } from "#server/base/liveness.ts";
import { startWork } from "#server/boot/work.ts";
import type { startApi } from "./api.ts";
import { stopAtEnd } from "./cleanup.ts";
import { commandPath } from "./program-path.ts";

type Api = Awaited<ReturnType<typeof startApi>>;

/** Runs `npm run account` as an operator does, beside the test's server. */
export function runAccount({ databaseUrl }: Api, ...args: string[]) {
  const env = { ...process.env, DATABASE_URL: databaseUrl, DATA_DIR: tmpdir(), BASE_URL: "" };
  return new Promise<{ code: number; stdout: string; stderr: string }>((done) => {
    const child = execFile(
      process.execPath,
      [commandPath("account"), ...args],
      { env },
      (_, stdout, stderr) => done({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

/** Returns every row of the account, by table, of all tables that name accounts. */
export async function rowsOf({ platform }: Api, accountId: string): Promise<Record<string, string[]>> {
  const { client } = platform.database;
  const tables = await client<{ name: string }[]>`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`;
  const rows: Record<string, string[]> = {};
  for (const { name } of tables) {
    const found = await client.unsafe(
      `select t::text as row from "${name}" t where account_id = '${toUuid("account", accountId)}'`,
    );
    rows[name] = found.map(({ row }) => row).sort();
  }
  return rows;
}

/** Starts all of a worker's tasks, in the test's own process, until the test file ends. */
export async function startAllWork(api: Api) {
  const stops: (() => unknown)[] = [];
  const liveness = await holdLiveness(api.databaseUrl);
  stops.push(() => liveness.release());
  const engines = { databaseUrl: api.databaseUrl, directUrl: api.databaseUrl };
  await startWork({ ...api.platform, liveness }, engines, stops);
  return stopAtEnd({
    async stop() {
      for (const stop of stops.toReversed()) await stop();
    },
  });
}
