import type postgres from "postgres";
import { connect, type Deadline, deadlineOf } from "#db/connect.ts";
import { batched } from "#server/base/batch.ts";
import type { TenantCluster } from "./cluster.ts";

/** How long an administrator's statement waits for a lock: a tenant's statement may hold it for its whole duration. */
const LOCK_MS = 2000;
const CONNECTIONS = 3;
/** For a connection that the network has lost; a silent cluster is noticed sooner. */
const DEADLINE_MS = 20_000;

/** The process's connections as the clusters' administrator, whose statements do not wait for tenants' connections. */
export function createAdministrators(clusterOf: (name: string) => TenantCluster) {
  const pools = new Map<string, postgres.Sql>();
  const single = new Map<postgres.Sql, string>();
  const pins = new Map<string, ReturnType<typeof createPin>>();

  function open(
    name: string,
    database: string,
    max: number,
    deadline = deadlineOf(DEADLINE_MS),
  ): postgres.Sql {
    return connect(clusterOf(name).url(database), {
      max,
      idle_timeout: 30,
      backoff: false,
      deadline,
      connection: { lock_timeout: LOCK_MS },
    });
  }

  /**
   * Returns a connection for pins only, since the statement ends with the standby's confirmation. One statement at a
   * time serves all callers: an abandoned connection would leave its backend waiting on the server.
   */
  function createPin(name: string) {
    const patient: Deadline = { ...deadlineOf(DEADLINE_MS), silentMs: DEADLINE_MS };
    const sql = open(name, "postgres", 1, patient);
    const pin = batched<null, null>(
      async (calls) => {
        await sql`select set_config('synchronous_commit', 'on', true), pg_logical_emit_message(true, 'pin', '')`;
        return calls;
      },
      { inFlight: 1, size: 1000 },
    );
    return { sql, pin };
  }

  return {
    /** Resolves when everything that a cluster has logged so far is on its disk and at its synchronous standbys. */
    async pin(name: string): Promise<void> {
      const made = pins.get(name) ?? createPin(name);
      pins.set(name, made);
      await made.pin(null);
    },

    /** Returns the administrator's connection to a cluster, in its first database. */
    of(name: string): postgres.Sql {
      const sql = pools.get(name) ?? open(name, "postgres", CONNECTIONS);
      pools.set(name, sql);
      return sql;
    },

    /** Runs `work` over a separate connection to one database of a cluster. */
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

    /** Fails the statements that wait for a silent cluster. */
    breakOff(name: string): void {
      const broken = [...single].filter(([, cluster]) => cluster === name).map(([sql]) => sql);
      const kept = [pools.get(name), pins.get(name)?.sql].filter((sql) => sql !== undefined);
      pools.delete(name);
      pins.delete(name);
      for (const sql of [...kept, ...broken]) void sql.end({ timeout: 0 });
    },

    async close(): Promise<void> {
      const pinning = [...pins.values()].map(({ sql }) => sql);
      const all = [...pools.values(), ...pinning, ...single.keys()];
      await Promise.all(all.map((sql) => sql.end({ timeout: 2 })));
    },
  };
}

export type Administrators = ReturnType<typeof createAdministrators>;
