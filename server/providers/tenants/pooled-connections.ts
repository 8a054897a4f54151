import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import type { Tenant } from "./cluster.ts";
import type { Connection } from "./connection.ts";
import { ClusterFull, type createPools, type Pool, TooManyStatements, WAIT_MS } from "./pools.ts";
import { cleanConnection, closeConnection } from "./transactions.ts";

interface CallEnd {
  readOnly: boolean;
  failed: boolean;
}

/** The pause before another attempt when a cluster has no connection left. */
const AGAIN_MS = 100;
/** No connection is left, of the cluster's or the role's. */
const TOO_MANY = "53300";
/** A connection's maximum number of calls: the driver caches every described statement. */
const MAX_USES = 1000;

/** Lends the connections of pools to calls, one call at a time; `open` opens another to a tenant's database. */
export function createPooledConnections(
  pools: ReturnType<typeof createPools>,
  open: (tenant: Tenant) => Promise<Connection>,
) {
  /** Returns a connection for a call; other calls may have to end first. */
  async function take(tenant: Tenant, pool: Pool): Promise<Connection> {
    for (let idle = pool.idle.pop(); idle; idle = pool.idle.pop()) {
      if (idle.isWhole()) return idle;
      drop(pool, idle);
    }
    return (await pools.wait(pool)) ?? connect(tenant, pool);
  }

  /** Other processes may have filled the cluster meanwhile: then idle connections are closed, or this call waits. */
  async function connect(tenant: Tenant, pool: Pool): Promise<Connection> {
    const deadline = Date.now() + WAIT_MS;
    for (;;) {
      try {
        return await open(tenant);
      } catch (reason) {
        const full = reason instanceof postgres.PostgresError && reason.code === TOO_MANY;
        const ofRole = full && reason.message.includes(tenant.login.role);
        if (full && Date.now() < deadline) {
          if (!ofRole) pools.evictIdle(tenant.cluster);
          await sleep(AGAIN_MS);
          continue;
        }
        pools.forget(pool);
        if (!full) throw reason;
        const Fault = ofRole ? TooManyStatements : ClusterFull;
        throw new Fault(reason.message, { cause: reason });
      }
    }
  }

  /** Returns a connection after a call; `failed` if its backend may be ending. */
  async function giveBack(pool: Pool, connection: Connection, { readOnly, failed }: CallEnd) {
    connection.uses += 1;
    const usable = () => connection.isWhole() && connection.uses < MAX_USES && !pool.closed;
    if (!usable()) return drop(pool, connection);
    // Under load the next call's statement is sent at once, behind the statement that cleans up this one.
    const next = readOnly && !failed ? pools.nextCall(pool) : undefined;
    connection.inTransaction = next !== undefined;
    if (next) return next.wake(connection);
    if (!(await cleanConnection(connection)) || !usable() || pools.isNeeded(pool))
      return drop(pool, connection);
    const waiting = pool.waiting.shift();
    if (waiting) return waiting.wake(connection);
    pools.keepIdle(pool, connection);
  }

  function drop(pool: Pool, connection: Connection) {
    closeConnection(connection);
    pools.forget(pool);
  }

  return { take, giveBack, drop };
}
