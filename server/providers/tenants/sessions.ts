import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import type { Login, TenantCluster } from "./cluster.ts";

/** Where an account's database lies, and who signs in to it. */
export interface Tenant {
  /** The cluster's name. */
  cluster: string;
  database: string;
  login: Login;
}

/** A connection of the tenant's own, for one call at a time, inside a transaction that the platform opened. */
export interface TenantSession {
  sql: postgres.Sql;
  /** The backend's process. */
  pid: number;
}

export interface TransactionOptions {
  readOnly: boolean;
  /** Whether every statement sees the database as it was at the first. */
  snapshot?: boolean;
  timeoutMs: number;
  /** Aborted when the caller leaves: the statement is ended then. */
  signal: AbortSignal;
}

/** The configured clusters do not have the one that the tenant's row names. */
export class UnknownCluster extends Error {}
/** Every connection of the tenant's was in use for longer than a call waits. */
export class TooManyStatements extends Error {}
/** The statement was ended from outside at its deadline: it had not let itself be cancelled. */
export class PastDeadline extends Error {}

interface Pool {
  idle: { sql: postgres.Sql; since: number }[];
  open: number;
  waiting: (() => void)[];
}

/** How long a call waits for one of the connections. */
const WAIT_MS = 5000;
const IDLE_MS = 30_000;
const GRACE_MS = 250;
const ANSWER_MS = 2000;

/** PostgreSQL's own text goes both ways, without the driver's reading of it, which would round. */
const asText = { serialize: (value: unknown) => value, parse: (value: unknown) => value };
const TYPES = {
  string: { to: 25, from: [25], ...asText },
  number: { to: 0, from: [21, 23, 26, 700, 701], ...asText },
  json: { to: 114, from: [114, 3802], ...asText },
  boolean: { to: 16, from: [16], ...asText },
  date: { to: 1184, from: [1082, 1114, 1184], ...asText },
  bytea: { to: 17, from: [17], ...asText },
};

/** What a call's values look like, whatever the tenant has set for his role or in a statement before. */
const FORMAT = Object.entries({
  search_path: "public",
  TimeZone: "UTC",
  DateStyle: "ISO, MDY",
  IntervalStyle: "postgres",
  bytea_output: "hex",
  extra_float_digits: "1",
  standard_conforming_strings: "on",
})
  .map(([name, value]) => `set_config('${name}', '${value}', true)`)
  .join(", ");

/** Whether a statement succeeds soon: on a connection that broke, the driver may never answer. */
function succeeds(statement: Promise<unknown>): Promise<boolean> {
  const late = sleep(ANSWER_MS, false, { ref: false });
  return Promise.race([
    statement.then(
      () => true,
      () => false,
    ),
    late,
  ]);
}

/** The process's connections to accounts' databases: few, and closed when idle. */
export function createTenantSessions(clusters: readonly TenantCluster[], perTenant: number) {
  const pools = new Map<string, Pool>();
  const admins = new Map<string, postgres.Sql>();
  const sweeper = setInterval(closeIdle, IDLE_MS / 2).unref();

  function clusterOf(name: string): TenantCluster {
    const cluster = clusters.find((candidate) => candidate.name === name);
    if (!cluster) throw new UnknownCluster(`No cluster ${name} is configured.`);
    return cluster;
  }

  /** The administrator of a cluster, who ends what overruns its time. */
  function admin(name: string): postgres.Sql {
    const known = admins.get(name);
    if (known) return known;
    const sql = postgres(clusterOf(name).url("postgres"), {
      ...{ max: 2, idle_timeout: 30, connect_timeout: 5, backoff: false, onnotice: () => undefined },
    });
    admins.set(name, sql);
    return sql;
  }

  function poolOf({ cluster, database }: Tenant): Pool {
    const key = `${cluster}/${database}`;
    const pool = pools.get(key) ?? { idle: [], open: 0, waiting: [] };
    pools.set(key, pool);
    return pool;
  }

  /** A tenant can change his role's password and settings, and lock himself out: both are set right before he signs in. */
  async function connect(tenant: Tenant): Promise<postgres.Sql> {
    const { role, password } = tenant.login;
    // One after the other: PostgreSQL refuses to change a role twice at the same time.
    await admin(tenant.cluster).unsafe(`
      select pg_advisory_xact_lock(hashtext('${role}'));
      alter role ${role} reset all;
      alter role ${role} in database ${tenant.database} reset all;
      alter role ${role} password '${password}'`);
    return postgres(clusterOf(tenant.cluster).url(tenant.database, tenant.login), {
      ...{ max: 1, max_lifetime: null, connect_timeout: 5, backoff: false },
      ...{ prepare: false, fetch_types: false, onnotice: () => undefined, types: TYPES as never },
    });
  }

  async function take(tenant: Tenant, pool: Pool): Promise<postgres.Sql> {
    const deadline = Date.now() + WAIT_MS;
    while (pool.open >= perTenant && pool.idle.length === 0) {
      let timer: NodeJS.Timeout | undefined;
      let wake: () => void = () => undefined;
      const freed = await new Promise<boolean>((resolve) => {
        wake = () => resolve(true);
        pool.waiting.push(wake);
        timer = setTimeout(resolve, Math.max(0, deadline - Date.now()), false);
      });
      clearTimeout(timer);
      pool.waiting = pool.waiting.filter((waiting) => waiting !== wake);
      if (!freed) throw new TooManyStatements(`${perTenant} statements are under way.`);
    }
    const idle = pool.idle.pop();
    if (idle) return idle.sql;
    pool.open += 1;
    return connect(tenant).catch((reason) => {
      forget(pool);
      throw reason;
    });
  }

  function forget(pool: Pool) {
    pool.open -= 1;
    pool.waiting.shift()?.();
  }

  async function giveBack(pool: Pool, sql: postgres.Sql, whole: boolean) {
    // Nothing that a call has left reaches the next: settings, temporary things, locks, cursors.
    if (whole && (await succeeds(sql.unsafe("discard all")))) {
      pool.idle.push({ sql, since: Date.now() });
      pool.waiting.shift()?.();
      return;
    }
    void sql.end({ timeout: 0 }).catch(() => undefined);
    forget(pool);
  }

  function closeIdle() {
    const before = Date.now() - IDLE_MS;
    for (const [key, pool] of pools) {
      const stale = pool.idle.filter(({ since }) => since < before);
      pool.idle = pool.idle.filter(({ since }) => since >= before);
      pool.open -= stale.length;
      if (pool.open === 0) pools.delete(key);
      for (const { sql } of stale) sql.end({ timeout: 1 }).catch(() => undefined);
    }
  }

  /** Ends the backend when the time is up or the caller has left: a statement can catch its own cancellation. */
  function watch(tenant: Tenant, pid: number, { timeoutMs, signal }: TransactionOptions) {
    let late = false;
    const end = () => void admin(tenant.cluster)`select pg_terminate_backend(${pid})`.catch(() => undefined);
    const timer = setTimeout(() => {
      late = true;
      end();
    }, timeoutMs + GRACE_MS);
    signal.addEventListener("abort", end);
    return {
      isLate: () => late,
      stop() {
        clearTimeout(timer);
        signal.removeEventListener("abort", end);
      },
    };
  }

  return {
    clusters,
    clusterOf,
    admin,

    /** Runs `work` in a transaction of the tenant's; `end` then says how it ends, by default by rolling back. */
    async transaction<T>(
      tenant: Tenant,
      options: TransactionOptions,
      work: (session: TenantSession) => Promise<T>,
      end: (session: TenantSession, result: T) => Promise<unknown> = ({ sql }) => sql.unsafe("rollback"),
    ): Promise<T> {
      const pool = poolOf(tenant);
      const sql = await take(tenant, pool);
      let watching: ReturnType<typeof watch> | undefined;
      let whole = true;
      try {
        const [, opened] = (await sql.unsafe(
          `begin${options.snapshot ? " isolation level repeatable read" : ""}${options.readOnly ? " read only" : ""}; select pg_backend_pid()::text as pid, set_config('statement_timeout', '${options.timeoutMs}', true), ${FORMAT}`,
        )) as unknown as [unknown, { pid: string }[]];
        const session = { sql, pid: Number(opened[0]?.pid) };
        watching = watch(tenant, session.pid, options);
        options.signal.throwIfAborted();
        const result = await work(session);
        await end(session, result);
        return result;
      } catch (reason) {
        whole = await succeeds(sql.unsafe("rollback"));
        if (watching?.isLate())
          throw new PastDeadline("The statement was ended at its deadline.", { cause: reason });
        throw reason;
      } finally {
        watching?.stop();
        await giveBack(pool, sql, whole);
      }
    },

    /** Closes what is open to one database, before it is dropped. */
    async disconnect({ cluster, database }: Pick<Tenant, "cluster" | "database">): Promise<void> {
      const key = `${cluster}/${database}`;
      const idle = pools.get(key)?.idle.splice(0) ?? [];
      pools.delete(key);
      await Promise.all(idle.map(({ sql }) => sql.end({ timeout: 1 })));
    },

    async close(): Promise<void> {
      clearInterval(sweeper);
      const open = [...pools.values()].flatMap((pool) => pool.idle.map(({ sql }) => sql));
      pools.clear();
      await Promise.all([...open, ...admins.values()].map((sql) => sql.end({ timeout: 5 })));
    },
  };
}

export type TenantSessions = ReturnType<typeof createTenantSessions>;
