import type postgres from "postgres";

/** How long a claim stands that nobody prolongs or releases. */
export const LEASE_SECONDS = 60;
const RETRY_MS = 500;
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
}

export interface ClaimReleaser {
  /** Gives a claim back. Where the database is not reached that is tried again, for as long as the claim's lease lasts. */
  release(release: Release): Promise<void>;
  stop(): void;
}

/** Gives claims of idempotency keys back, those that could not be at once by one statement for many. */
export function createClaimReleaser(sql: postgres.Sql): ClaimReleaser {
  const waiting = new Map<string, Release & { until: number }>();
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const send = (releases: Release[]) => sql`select release_claims(${sql.json(releases as never)})`;

  function plan(): void {
    if (timer || stopped || waiting.size === 0) return;
    timer = setTimeout(async () => {
      const batch = [...waiting.values()].slice(0, BATCH);
      const sent = await send(batch).then(
        () => true,
        () => false,
      );
      for (const { owner, until } of batch) if (sent || until < Date.now()) waiting.delete(owner);
      timer = undefined;
      plan();
    }, RETRY_MS);
    timer.unref();
  }

  return {
    async release(release) {
      try {
        await send([release]);
      } catch {
        waiting.set(release.owner, { ...release, until: Date.now() + LEASE_SECONDS * 1000 });
        plan();
      }
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
