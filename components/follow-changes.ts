import type { Query, QueryCacheNotifyEvent, QueryClient } from "@tanstack/react-query";
import { UNANSWERED } from "#components/unanswered.ts";

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;
/** Two pings of the server have not come. */
const SILENCE_MS = 40_000;
/** For how long a page may be under way that the server has rendered before a change was published. */
const RENDERING_MS = 10_000;

/**
 * Reads again what is shown, as the server announces that things of its kind have changed. Only a page that can be seen
 * listens: a browser has six connections to a server for all of its tabs. tRPC's own client of subscriptions would put
 * 5 KB into every page's first script.
 */
export function followChanges(queries: QueryClient, since: number): () => void {
  const changed = new Set<string>();
  const toldAt = new Map<string, number>();
  /** Up to when everything was received, by the server's clock, and by how much that is ahead of this one. */
  let receivedUntil = since;
  let ahead: number | undefined;
  let reading = false;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let source: EventSource | undefined;

  /** One reading at a time: what changes meanwhile is read after it. */
  async function readAgain(kinds: Iterable<string>) {
    for (const kind of kinds) changed.add(kind);
    if (reading) return;
    reading = true;
    while (changed.size > 0) {
      const now = new Set(changed);
      changed.clear();
      await queries.invalidateQueries({
        predicate: (query) => !query.meta?.still && (now.has(kindOf(query)) || isSumOf(query, now)),
      });
    }
    reading = false;
  }

  /**
   * What comes with a page, or for the first time, was read before it came: a change published meanwhile is not in it, and
   * a first reading under way is not begun again.
   */
  function readWhatCameLate(event: QueryCacheNotifyEvent) {
    const { query } = event;
    const kind = kindOf(query);
    if (isNew(event) && query.state.data !== undefined && Date.now() - (toldAt.get(kind) ?? 0) < RENDERING_MS)
      void readAgain([kind]);
  }

  function listen() {
    leave();
    const input = encodeURIComponent(JSON.stringify({ since: receivedUntil }));
    source = new EventSource(`/api/trpc/me.changes?input=${input}`);
    source.onmessage = ({ data }) => {
      failures = 0;
      const { at, kinds } = JSON.parse(data) as { at: number; kinds: string[] };
      ahead = at - Date.now();
      received();
      for (const kind of kinds) toldAt.set(kind, Date.now());
      void readAgain(kinds);
    };
    source.addEventListener("connected", waitForMore);
    source.addEventListener("ping", received);
    // The server ends each connection after a while.
    source.addEventListener("return", listen);
    source.addEventListener("serialized-error", retry);
    source.onerror = retry;
  }

  function received() {
    if (ahead !== undefined) receivedUntil = Date.now() + ahead;
    waitForMore();
  }

  function waitForMore() {
    clearTimeout(timer);
    timer = setTimeout(listen, SILENCE_MS);
  }

  function retry() {
    leave();
    window.dispatchEvent(new Event(UNANSWERED));
    // Where the session has ended, this is how the page learns of it.
    void queries.invalidateQueries({ queryKey: [["approvals"]] });
    timer = setTimeout(listen, Math.min(FIRST_RETRY_MS * 2 ** failures++, LONGEST_RETRY_MS));
  }

  function leave() {
    clearTimeout(timer);
    source?.close();
  }

  const unsubscribe = queries.getQueryCache().subscribe(readWhatCameLate);
  const follow = () => (document.visibilityState === "visible" ? listen() : leave());
  document.addEventListener("visibilitychange", follow);
  follow();
  return () => {
    document.removeEventListener("visibilitychange", follow);
    unsubscribe();
    leave();
  };
}

function isNew(event: QueryCacheNotifyEvent): boolean {
  if (event.type === "added") return true;
  if (event.type !== "updated") return false;
  const { type } = event.action;
  return type === "setState" || (type === "success" && event.query.state.dataUpdateCount === 1);
}

/** The first word of the operation that reads it. */
/** What things take on disk changes with them. */
const STORED = ["files", "artifacts", "databases"];
const isSumOf = (query: Query, changed: ReadonlySet<string>) =>
  kindOf(query) === "storage" && STORED.some((kind) => changed.has(kind));

const kindOf = ({ queryKey: [path] }: Query) => (path as string[])[0] as string;
