import { log } from "#server/log.ts";
import type { Connection } from "./connection.ts";

/** Every connection of the tenant's was in use for longer than a call waits. */
export class TooManyStatements extends Error {}
/** Other tenants' statements had the cluster's connections for longer than a call waits. */
export class ClusterFull extends Error {}

/** A call that waits for a connection. */
interface Waiting {
  /** Given none, it opens one, which is counted already. */
  wake(connection: Connection | null): void;
  fail(reason: unknown): void;
}

export interface Pool {
  cluster: string;
  idle: Connection[];
  open: number;
  waiting: Waiting[];
  /** Its database is about to be dropped: nothing stays open to it. */
  closed: boolean;
}

/** How long a call waits for a connection. */
export const WAIT_MS = 5000;

/** Of one cluster: how many connections it has for tenants, and how many of them are not this process's. */
interface Room {
  most: number;
  others: number;
}

/**
 * Shares a cluster's connections out among its tenants: the more a tenant has open, the more must be free for one more,
 * so that sleeping statements of many leave room for the first of any other.
 */
export function createPools(connections: number, close: (connection: Connection) => void) {
  const pools = new Map<string, Pool>();
  const rooms = new Map<string, Room>();

  const inCluster = (cluster: string) => [...pools.values()].filter((pool) => pool.cluster === cluster);
  const openIn = (cluster: string) => inCluster(cluster).reduce((sum, { open }) => sum + open, 0);
  const idleIn = (cluster: string) => inCluster(cluster).reduce((sum, { idle }) => sum + idle.length, 0);

  /** Whether this tenant may open one more. Half of the cluster is for those who have none. */
  function hasRoom(pool: Pool): boolean {
    if (pool.open >= connections) return false;
    const room = rooms.get(pool.cluster);
    if (!room) return true;
    const unopened = room.most - room.others - openIn(pool.cluster);
    const reserved = pool.open === 0 ? 0 : (room.most * (1 + (pool.open - 1) / connections)) / 2;
    if (unopened + idleIn(pool.cluster) <= reserved) return false;
    return unopened > 0 || evictIdle(pool.cluster);
  }

  /** Closes the connection of a cluster that has been idle for longest; returns whether there was one. */
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

  /** Those of a cluster whose calls wait, the one with the fewest connections first. */
  const hungry = (cluster: string) =>
    inCluster(cluster)
      .filter(({ waiting }) => waiting.length > 0)
      .sort((one, other) => one.open - other.open);

  /** Lets calls that wait open connections, as far as there is room. */
  function admit(cluster: string): void {
    for (const pool of hungry(cluster))
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

    /** Learns what the cluster itself says: how many connections there are for tenants, and how many are open. */
    learn(cluster: string, { most, open }: { most: number; open: number }): void {
      rooms.set(cluster, { most, others: Math.max(0, open - openIn(cluster)) });
      admit(cluster);
    },

    /** Waits for a connection that another call gives back; null: the call is to open one. */
    wait(pool: Pool): Promise<Connection | null> {
      return new Promise((resolve, reject) => {
        function giveUp() {
          if (pool.open >= connections)
            return waiting.fail(new TooManyStatements(`${connections} statements are under way.`));
          const { cluster, open } = pool;
          log.warn("A call found no connection to its cluster of accounts' databases.", {
            cluster,
            open,
            ...rooms.get(cluster),
            openOfAll: openIn(cluster),
            idleOfAll: idleIn(cluster),
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

    /** Refuses what waits for a connection of this cluster. */
    refuse(cluster: string, reason: unknown): void {
      for (const { waiting } of hungry(cluster)) for (const { fail } of [...waiting]) fail(reason);
    },

    /** The call that takes over a connection of this pool: none where another tenant, with fewer, is in need of it. */
    heir(pool: Pool): Pool["waiting"][number] | undefined {
      const [first] = hungry(pool.cluster);
      return first && first.open + 1 < pool.open ? undefined : pool.waiting.shift();
    },

    /** Keeps a connection for the pool's next call; one of another tenant that waits may take its place at once. */
    keepIdle(pool: Pool, connection: Connection): void {
      connection.since = Date.now();
      pool.idle.push(connection);
      admit(pool.cluster);
    },

    /** Whether another tenant, with fewer connections, waits for one. */
    isNeeded(pool: Pool): boolean {
      const [first] = hungry(pool.cluster);
      return first !== undefined && first.open + 1 < pool.open;
    },

    /** One of a pool's connections is gone. */
    forget(pool: Pool): void {
      pool.open -= 1;
      admit(pool.cluster);
    },

    /** Takes out what has been idle since before this time. */
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
