import { readFileSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { defined } from "#server/base/defined.ts";
import type { Env } from "../../env/read-env.ts";
import { archiveSettings, checkArchive } from "../backup/log-archive.ts";
import { type ClusterName, claimRepository, repositoryAt } from "../backup/repository.ts";
import type { EngineGuard } from "./engine-guard.ts";
import { type Postgres, type PostgresOptions, startPostgres } from "./postgres.ts";
import type { PostgresUser } from "./postgres-user.ts";

const GB = 1024 ** 3;

/** Resources that all databases of a cluster share are large or bounded, so that no tenant exhausts them. */
export const SHARED_SETTINGS = {
  max_prepared_transactions: "0",
  max_locks_per_transaction: "512",
  superuser_reserved_connections: "20",
  max_notify_queue_pages: "256",
};

/** The settings of each embedded cluster in addition to the common ones. */
export const CLUSTER_OPTIONS = {
  platform: {},
  tenants: {
    memoryBytes: 2 * GB,
    maxConnections: 220,
    settings: { temp_file_limit: "1GB", ...SHARED_SETTINGS },
  },
} satisfies Record<ClusterName, Partial<PostgresOptions>>;

type ClusterEnv = Pick<Env, "dataDir" | "backupDir">;

/** Returns the folder of an embedded cluster of a data folder. */
export const clusterFolder = (dataDir: string, name: ClusterName) => join(dataDir, "postgres", name);

/**
 * Starts or joins an embedded cluster of the data folder; the cluster archives its log in BACKUP_DIR if that is set.
 */
export function startCluster(name: ClusterName, env: ClusterEnv, guard?: EngineGuard): Promise<Postgres> {
  const options: Partial<PostgresOptions> = CLUSTER_OPTIONS[name];
  return startPostgres({
    ...options,
    name,
    dataDir: clusterFolder(env.dataDir, name),
    ...(guard && { guard }),
    settings: (user) => ({ ...(options.settings as object), ...keptLog(name, env, user) }),
  });
}

function keptLog(name: ClusterName, { dataDir, backupDir }: ClusterEnv, user: PostgresUser) {
  if (!backupDir) return {};
  // The platform's cluster starts first and identifies the installation.
  const repository =
    name === "platform"
      ? claimRepository(backupDir, dataDir, identifierIn(user.dataDir))
      : repositoryAt(backupDir);
  checkArchive(repository, [name], user);
  return archiveSettings(repository, name);
}

/** Returns the identifier of a cluster: the first bytes of its control file. */
function identifierIn(dataDir: string): string {
  return readFileSync(join(dataDir, "global/pg_control")).readBigUInt64LE(0).toString();
}

/** Returns the identifier of a running cluster, which its copies share. */
export async function readIdentifier(url: string): Promise<string> {
  const sql = postgres(url, { max: 1, connect_timeout: 5, backoff: false, onnotice: () => undefined });
  try {
    const [row] = await sql<{ id: string }[]>`select system_identifier::text as id from pg_control_system()`;
    return defined(row).id;
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** True if accounts' databases are in an embedded cluster. */
export const tenantsAreEmbedded = ({
  sandbox,
  managedDatabases,
}: Pick<Env, "sandbox" | "managedDatabases">) => sandbox && managedDatabases.length === 0;
