import type postgres from "postgres";
import { log } from "#server/base/log.ts";

// A lease lives a minute, so two renewals may be lost before a running call's place is given to another.
const BEAT_MS = 20_000;
const OWED_MS = 500;
// By then, statements sent to a silent database were carried out, or are gone with their connection.
const LATE_MS = 70_000;

export interface Leases {
  /** Renews the lease while the call runs. */
  hold(lease: string): void;
  drop(lease: string): void;
  /** Releases, once the database answers, the leases that ended calls could not release. */
  owe(leases: readonly string[]): void;
  /** Releases the leases of an unanswered admission batch, now or when the batch is carried out late. */
  giveUp(batch: string): void;
  /** Renews the held leases, and releases those of calls whose process died. */
  beat(): Promise<void>;
  stop(): void;
}

/** Renews the `maxConcurrent` leases of this process's calls, in one statement every 20 seconds. */
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
    for (const [batch, until] of givenUp) if (until < performance.now()) givenUp.delete(batch);
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
      givenUp.set(batch, performance.now() + LATE_MS);
      payLater();
    },
    beat,
    stop() {
      clearInterval(timer);
      clearTimeout(paying);
    },
  };
}
