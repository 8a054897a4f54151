import { setTimeout as sleep } from "node:timers/promises";
import type postgres from "postgres";
import { defined } from "#server/base/defined.ts";
import { createAdministrators } from "./administrators.ts";
import type { Login, Tenant, TenantCluster } from "./cluster.ts";
import type { Connection } from "./connection.ts";
import { boundGrowth } from "./growth.ts";
import { type LoginBounds, signIn } from "./login.ts";
import { createPooledConnections } from "./pooled-connections.ts";
import { createPools } from "./pools.ts";
import { beginTransaction, closeConnection, type TransactionOptions } from "./transactions.ts";
import { FIRST_TENANT_OID, type PgType, readTypes } from "./types.ts";
import { ClusterSilent, watch } from "./watch.ts";
import { createWatchdog, type Obstruction, type Watchdog } from "./watchdog.ts";

/** A connection of the tenant for one call, inside a transaction that the platform has opened. */
export type TenantSession = Pick<Connection, "sql" | "types" | "pause" | "resume" | "breakOff" | "turn">;

/** The tenant's row names a cluster that is not configured. */
export class UnknownCluster extends Error {}
/**
 * PostgreSQL ended the connection on a request other than the platform's: the tenant's own, unless the cluster stops.
 */
export class ConnectionEnded extends Error {}
/** PostgreSQL began to send a larger message than is accepted. */
export class MessageTooLarge extends Error {
  readonly bytes: number;

  constructor(bytes: number, cause: unknown) {
    super(`A message of ${bytes} bytes was not taken.`, { cause });
    this.bytes = bytes;
  }
}

interface RunningCall {
  cluster: string;
  timeoutMs: number;
  obstructed(fault: Obstruction): void;
}

const IDLE_MS = 30_000;
/** How long a stop waits for the statements that it cancels. */
const CLOSE_MS = 3000;
const noWait = async () => undefined;

export interface TenantBounds extends LoginBounds {
  /** Connections to one database. */
  connections: number;
  /** Bytes of one database. */
  databaseBytes: number;
  /** The maximum duration of a statement; only the platform's own copies may take longer. */
  statementMs: number;
}

/** The process's connections to accounts' databases: few, and closed when idle. */
export function createTenantSessions(clusters: readonly TenantCluster[], bounds: TenantBounds) {
  const pools = createPools(bounds.connections, closeConnection);
  const connections = createPooledConnections(pools, open);
  const catalogues = new Map<string, Promise<Map<number, PgType>>>();
  const administrators = createAdministrators(clusterOf);
  /** A signal for each cluster, aborted while it is silent. */
  const silences = new Map(clusters.map(({ name }) => [name, new AbortController()]));
  /** Running calls, by their backend's process id. */
  const runningCalls = new Map<number, RunningCall>();
  const watchdogs = new Map(clusters.map((cluster) => [cluster.name, watchdogOf(cluster)]));
  const sweeper = setInterval(closeIdle, IDLE_MS / 2).unref();

  function clusterOf(name: string): TenantCluster {
    const cluster = clusters.find((candidate) => candidate.name === name);
    if (!cluster) throw new UnknownCluster(`No cluster ${name} is configured.`);
    return cluster;
  }

  /** Watches from the start, and ends the sessions that a previous process left. */
  function watchdogOf(cluster: TenantCluster): Watchdog {
    const ofCluster = () => [...runningCalls].filter(([, call]) => call.cluster === cluster.name);
    return createWatchdog(cluster, {
      longestMs: bounds.statementMs,
      long: () =>
        ofCluster().flatMap(([pid, { timeoutMs }]) => (timeoutMs > bounds.statementMs ? [pid] : [])),
      isBusy: () => ofCluster().length > 0,
      onLook: (occupancy) => pools.learn(cluster.name, occupancy),
      onObstruction: (pid, fault) => runningCalls.get(pid)?.obstructed(fault),
      onSilence() {
        const silent = new ClusterSilent("The cluster does not answer.");
        silences.get(cluster.name)?.abort(silent);
        pools.refuse(cluster.name, silent);
        administrators.breakOff(cluster.name);
      },
      onAnswer: () => silences.set(cluster.name, new AbortController()),
    });
  }

  const silenceOf = (name: string) => defined(silences.get(name)).signal;
  const isSilent = (name: string) => silences.get(name)?.signal.aborted === true;
  const refuseSilent = (name: string) => silences.get(name)?.signal.throwIfAborted();

  /** The cluster's own types, read once. */
  function typesOf(name: string): Promise<Map<number, PgType>> {
    const known = catalogues.get(name);
    if (known) return known;
    const reading = readTypes(administrators.of(name), `t.oid < ${FIRST_TENANT_OID}`);
    reading.catch(() => catalogues.delete(name));
    catalogues.set(name, reading);
    return reading;
  }

  async function open(tenant: Tenant): Promise<Connection> {
    const { cluster, database } = tenant;
    const url = (as: Login) => clusterOf(cluster).url(database, as);
    const silence = silenceOf(cluster);
    return signIn({ administrators, url, types: await typesOf(cluster), silence }, tenant, bounds);
  }

  function closeIdle() {
    for (const { sql } of pools.takeIdle(Date.now() - IDLE_MS))
      sql.end({ timeout: 1 }).catch(() => undefined);
  }

  return {
    clusters,
    clusterOf,
    isSilent,

    /** The administrator of a cluster. */
    admin(name: string): postgres.Sql {
      refuseSilent(name);
      return administrators.of(name);
    },

    /** Resolves when everything that a cluster has logged so far is on its disk and at its synchronous standbys. */
    async pin(name: string): Promise<void> {
      refuseSilent(name);
      await administrators.pin(name);
    },

    /** Runs `work` as the administrator inside one database of a cluster. */
    async inside<T>(name: string, database: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
      refuseSilent(name);
      return administrators.inside(name, database, work);
    },

    /** Runs `work` in a transaction of the tenant; `end` ends it, by default a rollback does. */
    async transaction<T>(
      tenant: Tenant,
      options: TransactionOptions,
      work: (session: TenantSession) => Promise<T>,
      end?: (session: TenantSession, result: T) => Promise<unknown>,
    ): Promise<T> {
      clusterOf(tenant.cluster);
      const watchdog = defined(watchdogs.get(tenant.cluster));
      await watchdog.ready;
      refuseSilent(tenant.cluster);
      const pool = pools.of(tenant.cluster, tenant.database);
      const connection = await connections.take(tenant, pool);
      const { sql, pid } = connection;
      const watching = watch({
        admin: administrators.of(tenant.cluster),
        database: tenant.database,
        databaseBytes: bounds.databaseBytes,
        watchdog,
        connection,
        options,
      });
      runningCalls.set(pid, {
        cluster: tenant.cluster,
        timeoutMs: options.timeoutMs,
        obstructed: watching.obstructed,
      });
      let failed = true;
      try {
        options.signal.throwIfAborted();
        connection.turn = options.turn ?? noWait;
        beginTransaction(connection, options);
        const growth = options.readOnly ? null : boundGrowth(sql, bounds.databaseBytes);
        const result = await work(connection);
        await growth?.confirm();
        await end?.(connection, result);
        failed = false;
        return result;
      } catch (reason) {
        const bytes = connection.refusedBytes();
        if (bytes !== null) throw new MessageTooLarge(bytes, reason);
        const fault = watching.fault();
        if (!fault && !watching.hasEnded() && connection.wasEnded())
          throw new ConnectionEnded("The connection was ended.", { cause: reason });
        if (!fault) throw reason;
        fault.cause = reason;
        throw fault;
      } finally {
        watching.stop();
        runningCalls.delete(pid);
        const ended = watching.hasEnded();
        // Until its backend is gone, it counts as one of the tenant's connections.
        if (ended) void ended.finally(() => connections.drop(pool, connection));
        else void connections.giveBack(pool, connection, { readOnly: options.readOnly, failed });
      }
    },

    /** Closes the connections to one database, before it is dropped. */
    async disconnect({ cluster, database }: Pick<Tenant, "cluster" | "database">): Promise<void> {
      const key = `${cluster}/${database}`;
      const pool = pools.all.get(key);
      pools.all.delete(key);
      if (!pool) return;
      pool.closed = true;
      const idle = pool.idle.splice(0);
      await Promise.all(idle.map(({ sql }) => sql.end({ timeout: 1 })));
    },

    /** Closes all connections; ends running statements instead of waiting for them. */
    async close(): Promise<void> {
      clearInterval(sweeper);
      const ended = [...runningCalls].map(([pid, { cluster }]) => watchdogs.get(cluster)?.end(pid, 0));
      await Promise.race([Promise.all(ended), sleep(CLOSE_MS, undefined, { ref: false })]);
      const idle = pools.takeIdle(Number.POSITIVE_INFINITY);
      await Promise.all([...idle.map(({ sql }) => sql.end({ timeout: 2 })), administrators.close()]);
      await Promise.all([...watchdogs.values()].map((watchdog) => watchdog.close()));
    },
  };
}

export type TenantSessions = ReturnType<typeof createTenantSessions>;
