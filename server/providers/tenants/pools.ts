import { log } from "#server/base/log.ts";
import { onceAMinute } from "#server/base/pace.ts";
import type { Connection } from "./connection.ts";

/** All of the tenant's connections were in use for longer than a call waits. */
export class TooManyStatements extends Error {}
/** Other tenants' statements used the cluster's connections for longer than a call waits. */
export class ClusterFull extends Error {}

/** A call that waits for a connection. */
interface Waiting {
  /** With null, the call opens a connection, which is counted already. */
  wake(connection: Connection | null): void;
  fail(reason: unknown): void;
}

export interface Pool {
  cluster: string;
  idle: Connection[];
  open: number;
  waiting: Waiting[];
  /** True if its database is about to be dropped and no connection may stay open. */
  closed: boolean;
}

/** How long a call waits for a connection. */
export const WAIT_MS = 5000;

/** A cluster's maximum of tenants' connections, and how many of them other processes use. */
interface Room {
  most: number;
  others: number;
}

/**
 * Distributes a cluster's connections among its tenants: the more a tenant has open, the more must be free for one
 * more, so that sleeping statements of many leave room for the first of any other.
 */
export function createPools(connections: number, close: (connection: Connection) => void) {
  const pools = new Map<string, Pool>();
  const rooms = new Map<string, Room>();
  const isDue = onceAMinute();

  const inCluster = (cluster: string) => [...pools.values()].filter((pool) => pool.cluster === cluster);
  const openIn = (cluster: string) => inCluster(cluster).reduce((sum, { open }) => sum + open, 0);
  const idleIn = (cluster: string) => inCluster(cluster).reduce((sum, { idle }) => sum + idle.length, 0);

  /** True if this tenant may open another connection. Half of the cluster is reserved for tenants without any. */
  function hasRoom(pool: Pool): boolean {
    if (pool.open >= connections) return false;
    const room = rooms.get(pool.cluster);
    if (!room) return true;
    const unopened = room.most - room.others - openIn(pool.cluster);
    const reserved = pool.open === 0 ? 0 : (room.most * (1 + (pool.open - 1) / connections)) / 2;
    if (unopened + idleIn(pool.cluster) <= reserved) return false;
    return unopened > 0 || evictIdle(pool.cluster);
  }

  /** Closes the longest idle connection of a cluster; returns whether there was one. */
  function evictIdle(cluster: string): boolean {
    const [oldest] = inCluster(cluster)
      .filter(({ idle }) => idle.length > 0)
      .sort((one, other) => (one.idle[0]?.since ?? 0) - (other.idle[0]?.since ?? 0));
    const connection = oldest?.idle.shift();
    if (!oldest || !connection) return false;
    oldest.open -= 1;
    close(connection);
    return true;
  }

  /** Returns the pools of a cluster with waiting calls, the one with the fewest connections first. */
  const poolsWithWaiting = (cluster: string) =>
    inCluster(cluster)
      .filter(({ waiting }) => waiting.length > 0)
      .sort((one, other) => one.open - other.open);

  /** Lets waiting calls open connections, as far as there is room. */
  function admit(cluster: string): void {
    for (const pool of poolsWithWaiting(cluster))
      if (hasRoom(pool)) {
        pool.open += 1;
        pool.waiting.shift()?.wake(null);
      }
  }

  return {
    all: pools,
    admit,
    evictIdle,

    of(cluster: string, database: string): Pool {
      const key = `${cluster}/${database}`;
      const pool = pools.get(key) ?? { cluster, idle: [], open: 0, waiting: [], closed: false };
      pools.set(key, pool);
      return pool;
    },

    /** Updates the cluster's number of connections for tenants, and of open ones. */
    learn(cluster: string, { most, open }: { most: number; open: number }): void {
      rooms.set(cluster, { most, others: Math.max(0, open - openIn(cluster)) });
      admit(cluster);
    },

    /** Waits for a connection that another call returns; null: the call has to open one. */
    wait(pool: Pool): Promise<Connection | null> {
      return new Promise((resolve, reject) => {
        function giveUp() {
          if (pool.open >= connections)
            return waiting.fail(new TooManyStatements(`${connections} statements are under way.`));
          const { cluster, open } = pool;
          const room = rooms.get(cluster);
          if (isDue(cluster))
            log.warn("Calls find no connection to their cluster of accounts' databases.", {
              cluster,
              open,
              openOfAll: openIn(cluster),
              idleOfAll: idleIn(cluster),
              openElsewhere: room?.others,
              mostOfAll: room?.most,
            });
          waiting.fail(new ClusterFull("The cluster has no connection left."));
        }
        const timer = setTimeout(giveUp, WAIT_MS);
        const waiting: Waiting = {
          wake(connection) {
            clearTimeout(timer);
            resolve(connection);
          },
          fail(reason) {
            clearTimeout(timer);
            pool.waiting = pool.waiting.filter((other) => other !== waiting);
            reject(reason);
          },
        };
        pool.waiting.push(waiting);
        admit(pool.cluster);
      });
    },

    /** Refuses the calls that wait for a connection of this cluster. */
    refuse(cluster: string, reason: unknown): void {
      for (const { waiting } of poolsWithWaiting(cluster)) for (const { fail } of [...waiting]) fail(reason);
    },

    /**
     * Returns the waiting call that gets a connection of this pool; undefined if another tenant, with fewer
     * connections, needs one.
     */
    nextCall(pool: Pool): Pool["waiting"][number] | undefined {
      const [first] = poolsWithWaiting(pool.cluster);
      return first && first.open + 1 < pool.open ? undefined : pool.waiting.shift();
    },

    /** Keeps a connection for the pool's next call; a waiting call of another tenant may take its place at once. */
    keepIdle(pool: Pool, connection: Connection): void {
      connection.since = Date.now();
      pool.idle.push(connection);
      admit(pool.cluster);
    },

    /** True if a call of another tenant, with fewer connections, waits. */
    isNeeded(pool: Pool): boolean {
      const [first] = poolsWithWaiting(pool.cluster);
      return first !== undefined && first.open + 1 < pool.open;
    },

    /** Counts a closed connection of the pool. */
    forget(pool: Pool): void {
      pool.open -= 1;
      admit(pool.cluster);
    },

    /** Removes and returns connections that have been idle since before this time. */
    takeIdle(before: number): Connection[] {
      const stale: Connection[] = [];
      for (const [key, pool] of pools) {
        const old = pool.idle.filter(({ since }) => since < before);
        pool.idle = pool.idle.filter(({ since }) => since >= before);
        pool.open -= old.length;
        if (pool.open === 0 && pool.waiting.length === 0) pools.delete(key);
        stale.push(...old);
      }
      return stale;
    },
  };
}
