import type postgres from "postgres";
import { connect, deadlineOf } from "#db/connect.ts";
import type { TenantCluster } from "./cluster.ts";

/** How long an administrator's statement waits for a lock: a tenant's may hold it for as long as it lasts. */
const LOCK_MS = 2000;
const CONNECTIONS = 3;
/** For a connection that the network has lost; a cluster that is silent as a whole is noticed sooner. */
const DEADLINE_MS = 20_000;

/** The process's connections as the clusters' administrator, whose statements wait for no tenant's. */
export function createAdministrators(clusterOf: (name: string) => TenantCluster) {
  const pools = new Map<string, postgres.Sql>();
  const single = new Map<postgres.Sql, string>();

  function open(name: string, database: string, max: number): postgres.Sql {
    return connect(clusterOf(name).url(database), {
      max,
      idle_timeout: 30,
      backoff: false,
      deadline: deadlineOf(DEADLINE_MS),
      connection: { lock_timeout: LOCK_MS },
    });
  }

  return {
    /** The administrator of a cluster, in its first database. */
    of(name: string): postgres.Sql {
      const sql = pools.get(name) ?? open(name, "postgres", CONNECTIONS);
      pools.set(name, sql);
      return sql;
    },

    /** Runs `work` over a connection of its own to one database of a cluster. */
    async inside<T>(name: string, database: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
      const sql = open(name, database, 1);
      single.set(sql, name);
      try {
        return await work(sql);
      } finally {
        single.delete(sql);
        await sql.end({ timeout: 1 });
      }
    },

    /** Fails what waits for a cluster that is silent. */
    breakOff(name: string): void {
      const broken = [...single].filter(([, cluster]) => cluster === name).map(([sql]) => sql);
      const pool = pools.get(name);
      pools.delete(name);
      for (const sql of pool ? [pool, ...broken] : broken) void sql.end({ timeout: 0 });
    },

    async close(): Promise<void> {
      await Promise.all([...pools.values(), ...single.keys()].map((sql) => sql.end({ timeout: 2 })));
    },
  };
}

export type Administrators = ReturnType<typeof createAdministrators>;
