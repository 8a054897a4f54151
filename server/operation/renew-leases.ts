import type postgres from "postgres";
import { json } from "#db/json.ts";
import { newUuid } from "#server/base/ids.ts";
import type { Liveness } from "#server/base/liveness.ts";
import { log } from "#server/base/log.ts";

// A lease lives a minute, so two renewals may be lost before a running call's place is given to another.
const BEAT_MS = 20_000;
const OWED_MS = 500;
// By then, statements sent to a silent database were carried out, or are gone with their connection.
const LATE_MS = 70_000;

/** The place of a running call under `maxConcurrent`; ids are UUIDs. */
export interface Lease {
  id: string;
  accountId: string;
  /** The limits it counts against: each key's with the selector at the same place. */
  keyIds: string[];
  selectors: string[];
}

export interface Leases {
  /** Renews the lease while the call runs. */
  hold(lease: Lease): void;
  /** Ends the renewals of the lease with this id. */
  drop(lease: string): void;
  /** Drops the lease of a call that is not recorded, and releases it. */
  giveBack(lease: string): void;
  /** Releases, once the database answers, the leases that ended calls could not release. */
  owe(leases: readonly string[]): void;
  /** Releases the leases of an unanswered admission batch, now or when the batch is carried out late. */
  giveUp(batch: string): void;
  /** Renews the held leases, and releases those of calls whose process died. */
  beat(): Promise<void>;
  stop(): void;
}

/**
 * Renews the `maxConcurrent` leases of this process's calls, in one statement every 20 seconds, and at once after the
 * process has lost its connections: a crash of the database empties their table.
 */
export function createLeases(sql: postgres.Sql, { onLost }: Pick<Liveness, "onLost">): Leases {
  const sign = newUuid();
  const held = new Map<string, Lease>();
  const owed = new Set<string>();
  const givenUp = new Map<string, number>();
  async function beat() {
    const renewed = [...held.values()];
    const [row] = await sql<{ lost: boolean }[]>`
      select keep_leases(${sign}, ${json(sql, renewed)}) as lost`;
    // A lease that was released meanwhile may have been restored after that.
    if (row?.lost) owe(renewed.filter(({ id }) => !held.has(id)).map(({ id }) => id));
  }
  let beating = false;
  async function tryBeat(warn: (error: unknown) => void) {
    if (beating) return;
    beating = true;
    await beat().catch(warn);
    beating = false;
  }
  const timer = setInterval(
    () => tryBeat((error) => log.warn("The leases of calls could not be prolonged.", { error })),
    BEAT_MS,
  ).unref();
  // The lost connection is logged by itself.
  const unsubscribe = onLost(() => void tryBeat(() => undefined));

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

  function owe(leases: readonly string[]) {
    for (const lease of leases) owed.add(lease);
    if (owed.size > 0) payLater();
  }

  return {
    hold: (lease) => void held.set(lease.id, lease),
    drop: (lease) => void held.delete(lease),
    giveBack(lease) {
      held.delete(lease);
      owe([lease]);
    },
    owe,
    giveUp(batch) {
      givenUp.set(batch, performance.now() + LATE_MS);
      payLater();
    },
    beat,
    stop() {
      unsubscribe();
      clearInterval(timer);
      clearTimeout(paying);
    },
  };
}
