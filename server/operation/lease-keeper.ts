import type postgres from "postgres";
import { log } from "#server/log.ts";

// A lease lives a minute: two beats may be lost before the place of a call under way is given to another.
const BEAT_MS = 20_000;

export interface LeaseKeeper {
  /** Keeps the lease for as long as the call goes on. */
  hold(lease: string): void;
  drop(lease: string): void;
  /** Prolongs the leases that are held, and gives back the places of calls whose process died. */
  beat(): Promise<void>;
  stop(): void;
}

/** Keeps the places under `maxConcurrent` of this process's calls, in one statement every 20 seconds. */
export function createLeaseKeeper(sql: postgres.Sql): LeaseKeeper {
  const held = new Set<string>();
  const beat = async () => {
    await sql`select keep_leases(${[...held]}::uuid[])`;
  };
  const timer = setInterval(
    () => beat().catch((error) => log.warn("The leases of calls could not be prolonged.", { error })),
    BEAT_MS,
  );
  timer.unref();
  return {
    hold: (lease) => void held.add(lease),
    drop: (lease) => void held.delete(lease),
    beat,
    stop: () => clearInterval(timer),
  };
}
