import { setTimeout as sleep } from "node:timers/promises";
import { CHANGES, type Change } from "#server/changes.ts";
import { findPerson, type Person, sessionEnded } from "#server/members/person.ts";
import type { SessionToken } from "#server/members/session-token.ts";
import { platform } from "#server/platform.ts";
import { failureOf } from "./procedures.ts";

// What changes together is told together.
const GATHER_MS = 30;

/**
 * The kinds of things that change in the person's account, as they change, until the session ends. First all of them:
 * what has changed before somebody listens is not known here.
 */
export async function* followChanges(
  { person, session }: { person: Person; session: SessionToken },
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly Change[], void> {
  const changed = new Set<Change>();
  let woken = Promise.withResolvers<void>();
  const wake = () => woken.resolve();
  const unwatch = platform().changes.watch([person.accountId, person.userId], (change) => {
    changed.add(change);
    wake();
  });
  signal?.addEventListener("abort", wake);
  try {
    yield CHANGES;
    while (!signal?.aborted) {
      await woken.promise;
      await sleep(GATHER_MS);
      woken = Promise.withResolvers();
      const told = [...changed];
      changed.clear();
      if ((told.includes("me") || told.includes("members")) && !(await findPerson(session)))
        throw failureOf(sessionEnded());
      if (told.length > 0) yield told;
    }
  } finally {
    unwatch();
    signal?.removeEventListener("abort", wake);
  }
}
