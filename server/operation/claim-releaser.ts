import type postgres from "postgres";
import { json } from "#db/json.ts";

/** How long a claim lasts that is neither prolonged nor released, in seconds. */
export const LEASE_SECONDS = 60;
const RETRY_MS = 500;
const LATE_MS = 5000;
const BATCH = 500;

/**
 * The state that a failed call leaves behind. `nothing`: the key is free. `failure`: the key is free, but a repeat of
 * the same call gets the same effect id. `doubt`: only a repeat of the same call may use the key, to continue
 * the work.
 */
export type Left = "nothing" | "failure" | "doubt";

/** A claim to be released; ids are UUIDs, and `owner` identifies the claim. */
export interface Release {
  account: string;
  caller: string;
  key: string;
  owner: string;
  left: Left;
  /** True if it is unknown whether the key was claimed: a silent database may still carry the claim out. */
  late?: boolean;
}

export interface ClaimReleaser {
  /**
   * Releases a claim; returns false if another call has taken it over. While the database is unreachable, tries again
   * until the claim's lease has expired.
   */
  release(release: Release): Promise<boolean>;
  stop(): void;
}

/**
 * Creates the releaser of idempotency claims. It collects claims that could not be released at once and
 * releases them in one statement.
 */
export function createClaimReleaser(sql: postgres.Sql): ClaimReleaser {
  const waiting = new Map<string, Release & { due: number; until: number }>();
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const send = (releases: Release[]) =>
    sql<{ owner: string }[]>`select owner from release_claims(${json(sql, releases)}) owner`;

  function plan(): void {
    if (timer || stopped || waiting.size === 0) return;
    timer = setTimeout(async () => {
      const now = performance.now();
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
      const sent = await send([release]).catch(() => null);
      if (sent && !release.late) return sent.length > 0;
      const now = performance.now();
      const due = sent ? now + LATE_MS : now;
      waiting.set(release.owner, { ...release, due, until: now + LEASE_SECONDS * 1000 });
      plan();
      return true;
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
