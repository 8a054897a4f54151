import type { QueryClient } from "@tanstack/react-query";
import { createTRPCClient, httpSubscriptionLink } from "@trpc/client";
import type { ConsoleRouter } from "#server/transports/console-router.ts";

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;

/**
 * Reads again what is shown, as the server tells that things of its kind have changed. Only a page that can be seen
 * listens: a browser has six connections to a server for all of its tabs.
 */
export function followChanges(queries: QueryClient): () => void {
  const client = createTRPCClient<ConsoleRouter>({ links: [httpSubscriptionLink({ url: "/api/trpc" })] });
  const changed = new Set<string>();
  let reading = false;
  let failures = 0;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let subscription: { unsubscribe(): void } | undefined;

  /** One reading at a time: what changes meanwhile is read after it. */
  async function readAgain(kinds: Iterable<string>) {
    for (const kind of kinds) changed.add(kind);
    if (reading) return;
    reading = true;
    while (changed.size > 0) {
      const now = new Set(changed);
      changed.clear();
      await queries.invalidateQueries({
        predicate: ({ queryKey: [path], meta }) => !meta?.still && now.has((path as string[])[0] as string),
      });
    }
    reading = false;
  }

  function listen() {
    leave();
    const mine = client.me.changes.subscribe(undefined, {
      onData(kinds) {
        failures = 0;
        void readAgain(kinds);
      },
      // The server ends each connection after a while; so does leaving.
      onComplete: () => subscription === mine && listen(),
      onError() {
        // Where the session has ended, this is how the page learns of it.
        void queries.invalidateQueries({ queryKey: [["approvals"]] });
        retry = setTimeout(listen, Math.min(FIRST_RETRY_MS * 2 ** failures++, LONGEST_RETRY_MS));
      },
    });
    subscription = mine;
  }

  function leave() {
    clearTimeout(retry);
    const left = subscription;
    subscription = undefined;
    left?.unsubscribe();
  }

  const follow = () => (document.visibilityState === "visible" ? listen() : leave());
  document.addEventListener("visibilitychange", follow);
  follow();
  return () => {
    document.removeEventListener("visibilitychange", follow);
    leave();
  };
}
