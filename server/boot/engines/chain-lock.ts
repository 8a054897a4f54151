import { connectSession } from "#db/connect.ts";
import { CONNECTIONS } from "#db/connections.ts";

// The first half of the advisory locks for the embedded chains; the second is one of those below.
const LOCKS = 1_869_771_362;
const START = 1;
const USE = 2;

/** Coordinates the processes of one data folder that share the embedded chains; ends with the process. */
export interface ChainLock {
  /** Runs the work while no other process starts or stops the chains. */
  exclusively<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Registers this process as a user of the chains. */
  use(): Promise<void>;
  /** Ends the registration; returns true if no other process is registered. */
  leave(): Promise<boolean>;
  close(): Promise<void>;
}

/** Opens the lock, which is in the platform's database. */
export function openChainLock(url: string): ChainLock {
  const sql = connectSession(url, { max: CONNECTIONS.chains });
  return {
    async exclusively(work) {
      await sql`select pg_advisory_lock(${LOCKS}, ${START})`;
      try {
        return await work();
      } finally {
        await sql`select pg_advisory_unlock(${LOCKS}, ${START})`;
      }
    },
    async use() {
      await sql`select pg_advisory_lock_shared(${LOCKS}, ${USE})`;
    },
    async leave() {
      await sql`select pg_advisory_unlock_shared(${LOCKS}, ${USE})`;
      const [row] = await sql<{ free: boolean }[]>`select pg_try_advisory_lock(${LOCKS}, ${USE}) as free`;
      return row?.free === true;
    },
    close: () => sql.end({ timeout: 5 }),
  };
}
