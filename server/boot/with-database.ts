import { existsSync } from "node:fs";
import { type Database, openDatabase } from "#db/client.ts";
import { defined } from "#server/base/defined.ts";
import { type Env, readEnv } from "../env/read-env.ts";
import { startCluster } from "./engines/embedded-clusters.ts";
import { openEngineGuard } from "./engines/engine-guard.ts";
import { migrate } from "./migrate.ts";

/** Runs an operator's work on the platform's database, whether a server is running or not. */
export async function withDatabase<Result>(
  work: (database: Database, env: Env, url: string) => Promise<Result>,
) {
  if (existsSync(".env")) process.loadEnvFile();
  const env = readEnv();
  const guard = env.databaseUrl ? undefined : openEngineGuard(env.dataDir, env.enginesWaitSeconds);
  const cluster = guard && (await startCluster("platform", env, guard));
  try {
    const url = await migrate(env.databaseDirectUrl ?? defined(cluster?.url()), { serves: false });
    const database = openDatabase(url, { handlers: 1, deadline: null });
    try {
      return await work(database, env, url);
    } finally {
      await database.close();
    }
  } finally {
    await cluster?.stop();
    guard?.close();
  }
}
