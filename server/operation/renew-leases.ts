import type postgres from "postgres";
import { log } from "#server/log.ts";

// A lease lives a minute: two beats may be lost before the place of a call under way is given to another.
const BEAT_MS = 20_000;
const OWED_MS = 500;
// By then whatever was sent to a database that had fallen silent was carried out, or is gone with its connection.
const LATE_MS = 70_000;

export interface Leases {
  /** Keeps the lease for as long as the call goes on. */
  hold(lease: string): void;
  drop(lease: string): void;
  /** Gives back, as soon as the database answers, what calls that ended could not give back themselves. */
  owe(leases: readonly string[]): void;
  /** Gives back what an unanswered batch of admission leases, now or when it is carried out late. */
  giveUp(batch: string): void;
  /** Prolongs the leases that are held, and gives back the places of calls whose process died. */
  beat(): Promise<void>;
  stop(): void;
}

/** Keeps the places under `maxConcurrent` of this process's calls, in one statement every 20 seconds. */
export function createLeases(sql: postgres.Sql): Leases {
  const held = new Set<string>();
  const owed = new Set<string>();
  const givenUp = new Map<string, number>();
  const beat = async () => {
    await sql`select keep_leases(${[...held]}::uuid[])`;
  };
  const timer = setInterval(
    () => beat().catch((error) => log.warn("The leases of calls could not be prolonged.", { error })),
    BEAT_MS,
  );
  timer.unref();

  let paying: NodeJS.Timeout | undefined;
  async function pay() {
    const [leases, batches] = [[...owed], [...givenUp.keys()]];
    await sql`select give_back_leases(${leases}::uuid[], ${batches}::uuid[])`;
    for (const lease of leases) owed.delete(lease);
    for (const [batch, until] of givenUp) if (until < Date.now()) givenUp.delete(batch);
  }
  function payLater() {
    paying ??= setTimeout(async () => {
      await pay().catch(() => undefined);
      paying = undefined;
      if (owed.size + givenUp.size > 0) payLater();
    }, OWED_MS).unref();
  }

  return {
    hold: (lease) => void held.add(lease),
    drop: (lease) => void held.delete(lease),
    owe(leases) {
      for (const lease of leases) owed.add(lease);
      if (owed.size > 0) payLater();
    },
    giveUp(batch) {
      givenUp.set(batch, Date.now() + LATE_MS);
      payLater();
    },
    beat,
    stop() {
      clearInterval(timer);
      clearTimeout(paying);
    },
  };
}
