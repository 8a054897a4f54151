import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import type { Login, TenantCluster } from "./cluster.ts";
import { type Connection, openConnection } from "./connection.ts";
import { boundGrowth } from "./growth.ts";
import { FIRST_TENANT_OID, type PgType, readTypes } from "./types.ts";
import { type WatchOptions, watch } from "./watch.ts";

/** Where an account's database lies, and who signs in to it. */
export interface Tenant {
  /** The cluster's name. */
  cluster: string;
  database: string;
  login: Login;
}

/** A connection of the tenant's own, for one call at a time, inside a transaction that the platform opened. */
export type TenantSession = Pick<Connection, "sql" | "types" | "pause" | "resume" | "breakOff">;

export interface TransactionOptions extends WatchOptions {
  /** Whether every statement sees the database as it was at the first. */
  snapshot?: boolean;
}

/** The configured clusters do not have the one that the tenant's row names. */
export class UnknownCluster extends Error {}
/** Every connection of the tenant's was in use for longer than a call waits. */
export class TooManyStatements extends Error {}
/** PostgreSQL was told to end the connection, and not by the platform: by its own tenant, unless the cluster stops. */
export class ConnectionEnded extends Error {}
/** PostgreSQL began to send more at once than is taken. */
export class MessageTooLarge extends Error {
  readonly bytes: number;

  constructor(bytes: number, cause: unknown) {
    super(`A message of ${bytes} bytes was not taken.`, { cause });
    this.bytes = bytes;
  }
}

interface Pool {
  idle: Connection[];
  open: number;
  /** Calls that wait for a connection; given none, they open one. */
  waiting: ((connection: Connection | null) => void)[];
  /** Its database is about to be dropped: nothing stays open to it. */
  closed: boolean;
}

interface CallEnd {
  readOnly: boolean;
  failed: boolean;
}

/** How long a call waits for one of the connections. */
const WAIT_MS = 5000;
const IDLE_MS = 30_000;
const ANSWER_MS = 2000;
/** The driver remembers what it has described for as long as a connection lives. */
const MOST_USES = 1000;

/** Rolled back, a transaction that only read leaves nothing but what it prepared, and locks of the session's. */
const UNDO = "rollback; deallocate all; select pg_advisory_unlock_all(); ";

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

export interface TenantBounds {
  /** Connections to one database. */
  connections: number;
  /** Bytes of one row, or of anything else that PostgreSQL sends at once. */
  messageBytes: number;
  /** Bytes of one database. */
  databaseBytes: number;
  /** Bytes of a backend's temporary files, where the cluster itself sets no bound. */
  temporaryBytes: number;
}

/** The process's connections to accounts' databases: few, and closed when idle. */
export function createTenantSessions(clusters: readonly TenantCluster[], bounds: TenantBounds) {
  const pools = new Map<string, Pool>();
  const catalogues = new Map<string, Promise<Map<number, PgType>>>();
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

  /** The cluster's own types, read once. */
  function typesOf(name: string): Promise<Map<number, PgType>> {
    const known = catalogues.get(name);
    if (known) return known;
    const reading = readTypes(admin(name), `t.oid < ${FIRST_TENANT_OID}`);
    reading.catch(() => catalogues.delete(name));
    catalogues.set(name, reading);
    return reading;
  }

  function poolOf({ cluster, database }: Tenant): Pool {
    const key = `${cluster}/${database}`;
    const pool = pools.get(key) ?? { idle: [], open: 0, waiting: [], closed: false };
    pools.set(key, pool);
    return pool;
  }

  /** A tenant can change his role's password and settings, and lock himself out: both are set right before he signs in. */
  async function connect(tenant: Tenant): Promise<Connection> {
    const { role, password } = tenant.login;
    // One after the other: PostgreSQL refuses to change a role twice at the same time.
    await admin(tenant.cluster).unsafe(`
      select pg_advisory_xact_lock(hashtext('${role}'));
      alter role ${role} reset all;
      alter role ${role} in database ${tenant.database} reset all;
      do $$ begin
        if current_setting('temp_file_limit') = '-1' then
          alter role ${role} set temp_file_limit = '${Math.floor(bounds.temporaryBytes / 1024)}kB';
        end if;
      end $$;
      alter role ${role} password '${password}'`);
    const url = clusterOf(tenant.cluster).url(tenant.database, tenant.login);
    return openConnection(url, await typesOf(tenant.cluster), bounds.messageBytes);
  }

  async function take(tenant: Tenant, pool: Pool): Promise<Connection> {
    for (let idle = pool.idle.pop(); idle; idle = pool.idle.pop()) {
      if (idle.isWhole()) return idle;
      drop(pool, idle);
    }
    if (pool.open >= bounds.connections) {
      const given = await wait(pool);
      if (given) return given;
    }
    pool.open += 1;
    return connect(tenant).catch((reason) => {
      forget(pool);
      throw reason;
    });
  }

  function wait(pool: Pool): Promise<Connection | null> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        pool.waiting = pool.waiting.filter((waiting) => waiting !== wake);
        reject(new TooManyStatements(`${bounds.connections} statements are under way.`));
      }, WAIT_MS);
      const wake = (connection: Connection | null) => {
        clearTimeout(timer);
        resolve(connection);
      };
      pool.waiting.push(wake);
    });
  }

  function forget(pool: Pool) {
    pool.open -= 1;
    pool.waiting.shift()?.(null);
  }

  /** After a call; `failed` where its backend may be ending. */
  async function giveBack(pool: Pool, connection: Connection, { readOnly, failed }: CallEnd) {
    connection.uses += 1;
    const usable = () => connection.isWhole() && connection.uses < MOST_USES && !pool.closed;
    if (!usable()) return drop(pool, connection);
    // Under load the next call's statement goes out at once, behind what undoes this one.
    const next = readOnly && !failed ? pool.waiting.shift() : undefined;
    connection.stands = next !== undefined;
    if (next) return next(connection);
    if (!(await clean(connection)) || !usable()) return drop(pool, connection);
    const waiting = pool.waiting.shift();
    if (waiting) return waiting(connection);
    connection.since = Date.now();
    pool.idle.push(connection);
  }

  /** Nothing that a call has left reaches the next: its transaction, settings, temporary things, locks, cursors. */
  function clean({ sql }: Connection): Promise<boolean> {
    return succeeds(Promise.all([sql.unsafe("rollback"), sql.unsafe("discard all")]));
  }

  /** Not awaited: what the call sends first goes out behind it. Where it fails the connection has. */
  function begin({ sql, stands }: Connection, { snapshot, readOnly, timeoutMs }: TransactionOptions) {
    const level = snapshot ? " isolation level repeatable read" : "";
    const mode = readOnly ? " read only" : "";
    sql
      .unsafe(`${stands ? UNDO : ""}begin${level}${mode}; set local statement_timeout = ${timeoutMs}`)
      .catch(() => undefined);
  }

  function drop(pool: Pool, { sql }: Connection) {
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

  return {
    clusters,
    clusterOf,
    admin,

    /** Runs `work` in a transaction of the tenant's; `end` then says how it ends, by default by rolling back. */
    async transaction<T>(
      tenant: Tenant,
      options: TransactionOptions,
      work: (session: TenantSession) => Promise<T>,
      end?: (session: TenantSession, result: T) => Promise<unknown>,
    ): Promise<T> {
      const pool = poolOf(tenant);
      const connection = await take(tenant, pool);
      const { sql } = connection;
      const watching = watch(
        admin(tenant.cluster),
        tenant.database,
        connection.pid,
        bounds.databaseBytes,
        options,
      );
      let failed = true;
      try {
        options.signal.throwIfAborted();
        begin(connection, options);
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
        if (watching.hasEnded()) drop(pool, connection);
        else void giveBack(pool, connection, { readOnly: options.readOnly, failed });
      }
    },

    /** Closes what is open to one database, before it is dropped. */
    async disconnect({ cluster, database }: Pick<Tenant, "cluster" | "database">): Promise<void> {
      const key = `${cluster}/${database}`;
      const pool = pools.get(key);
      pools.delete(key);
      if (!pool) return;
      pool.closed = true;
      const idle = pool.idle.splice(0);
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
