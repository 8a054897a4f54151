import { setTimeout as sleep } from "node:timers/promises";
import type { Change } from "#server/base/changes.ts";
import { currentMs } from "#server/base/clock.ts";
import { findPerson, type Person, sessionEnded } from "#server/members/person.ts";
import type { SessionToken } from "#server/members/session-token.ts";
import { platform } from "#server/platform.ts";
import { failureOf } from "./procedures.ts";

// Changes within this time are published together.
const GATHER_MS = 30;

/**
 * Yields the kinds of resources that change in the person's account until the session ends; first those that changed
 * since the page was rendered. Each message carries its time, for a page that reconnects.
 */
export async function* followChanges(
  { person, session }: { person: Person; session: SessionToken },
  since: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<{ at: number; kinds: readonly Change[] }, void> {
  const whose = [person.accountId, person.userId];
  const changed = new Set<Change>();
  let woken = Promise.withResolvers<void>();
  const wake = () => woken.resolve();
  const unwatch = platform().changes.subscribe(whose, (change) => {
    changed.add(change);
    wake();
  });
  signal?.addEventListener("abort", wake);
  try {
    yield { at: currentMs(), kinds: platform().changes.publishedSince(whose, since) };
    while (!signal?.aborted) {
      await woken.promise;
      await sleep(GATHER_MS);
      woken = Promise.withResolvers();
      const kinds = [...changed];
      changed.clear();
      if ((kinds.includes("me") || kinds.includes("members")) && !(await findPerson(session)))
        throw failureOf(sessionEnded());
      if (kinds.length > 0) yield { at: currentMs(), kinds };
    }
  } finally {
    unwatch();
    signal?.removeEventListener("abort", wake);
  }
}
