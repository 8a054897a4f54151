import type postgres from "postgres";

/** How long a claim lasts that is neither prolonged nor released. */
export const LEASE_SECONDS = 60;
const RETRY_MS = 500;
const LATE_MS = 5000;
const BATCH = 500;

/**
 * What a failed call leaves: `nothing`; a `failure`, after which the key is free, but a repeat of the same call has the
 * same effect's name; a `doubt`, after which only the same call may come and go on with it.
 */
export type Left = "nothing" | "failure" | "doubt";

/** A claim to be given back; ids are UUIDs, `owner` is the claim's own. */
export interface Release {
  account: string;
  caller: string;
  key: string;
  owner: string;
  left: Left;
  /** Whether it is not known that it was claimed: a database that had fallen silent may do so late. */
  late?: boolean;
}

export interface ClaimReleaser {
  /** Gives a claim back. Where the database is not reached that is tried again, for as long as the claim's lease lasts. */
  release(release: Release): Promise<void>;
  stop(): void;
}

/** Gives claims of idempotency keys back, those that could not be at once by one statement for many. */
export function createClaimReleaser(sql: postgres.Sql): ClaimReleaser {
  const waiting = new Map<string, Release & { due: number; until: number }>();
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const send = (releases: Release[]) => sql`select release_claims(${sql.json(releases as never)})`;

  function plan(): void {
    if (timer || stopped || waiting.size === 0) return;
    timer = setTimeout(async () => {
      const now = Date.now();
      const batch = [...waiting.values()].filter(({ due }) => due <= now).slice(0, BATCH);
      if (batch.length === 0) {
        timer = undefined;
        return plan();
      }
      const sent = await send(batch).then(
        () => true,
        () => false,
      );
      for (const release of batch) {
        if ((sent && !release.late) || release.until < now) waiting.delete(release.owner);
        else if (sent) release.due = now + LATE_MS;
      }
      timer = undefined;
      plan();
    }, RETRY_MS);
    timer.unref();
  }

  return {
    async release(release) {
      const sent = await send([release]).then(
        () => true,
        () => false,
      );
      if (sent && !release.late) return;
      const now = Date.now();
      const due = sent ? now + LATE_MS : now;
      waiting.set(release.owner, { ...release, due, until: now + LEASE_SECONDS * 1000 });
      plan();
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
