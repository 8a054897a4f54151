import type { Query, QueryCacheNotifyEvent, QueryClient } from "@tanstack/react-query";
import { UNANSWERED } from "#components/unanswered.ts";

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;
/** Longer than two of the server's ping intervals. */
const SILENCE_MS = 40_000;
/** The longest time between a page's rendering on the server and its arrival in the browser. */
const RENDERING_MS = 10_000;
/** The shortest pause between two refetches: however many changes arrive, the page remains usable. */
const REST_MS = 250;
/** The longest wait for a refetch: one that hangs is replaced by the next of its query, and holds up no others. */
const LONGEST_READ_MS = 10_000;

/**
 * Refetches the shown queries when the server publishes a change of a resource of their kind. Only a visible page
 * listens, because a browser has six connections to a server for all of its tabs. Uses `EventSource`, since tRPC's
 * subscription client would add 5 KB to every page's first script.
 */
export function followChanges(queries: QueryClient, since: number): () => void {
  const changed = new Set<string>();
  const publishedAt = new Map<string, number>();
  /**
   * The time, by the server's clock, up to which every change was received, and how far that clock is ahead of this
   * one.
   */
  let receivedUntil = since;
  let ahead: number | undefined;
  let reading = false;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let source: EventSource | undefined;

  /**
   * Refetches at once, and one at a time; changes published meanwhile are refetched together, after a pause of at least
   * the time that the refetch took.
   */
  async function readAgain(kinds: Iterable<string>) {
    for (const kind of kinds) changed.add(kind);
    if (reading) return;
    reading = true;
    while (changed.size > 0) {
      const now = new Set(changed);
      changed.clear();
      const began = Date.now();
      const isChanged = (query: Query) =>
        !query.meta?.still && (now.has(kindOf(query)) || isSumOf(query, now));
      for (const query of queries.getQueryCache().findAll({ predicate: isChanged }).filter(isLoadingMore)) {
        const readThen = () => readAgain([kindOf(query)]);
        void query.promise?.then(readThen, readThen);
      }
      await Promise.race([
        queries.invalidateQueries({ predicate: (query) => isChanged(query) && !isLoadingMore(query) }),
        pause(LONGEST_READ_MS),
      ]);
      await pause(Math.max(REST_MS, Date.now() - began));
    }
    reading = false;
  }

  /**
   * Refetches data that was read before a change and arrived after it: with the page, or by a first fetch. A first
   * fetch that is still running is not restarted.
   */
  function readWhatCameLate(event: QueryCacheNotifyEvent) {
    const { query } = event;
    const kind = kindOf(query);
    if (
      isNew(event) &&
      query.state.data !== undefined &&
      Date.now() - (publishedAt.get(kind) ?? 0) < RENDERING_MS
    )
      void readAgain([kind]);
  }

  function listen() {
    leave();
    const input = encodeURIComponent(JSON.stringify({ since: receivedUntil }));
    source = new EventSource(`/api/trpc/me.changes?input=${input}`);
    source.onmessage = ({ data }) => {
      failures = 0;
      const { at, kinds }: { at: number; kinds: string[] } = JSON.parse(data);
      ahead = at - Date.now();
      received();
      for (const kind of kinds) publishedAt.set(kind, Date.now());
      void readAgain(kinds);
    };
    source.addEventListener("connected", waitForMore);
    source.addEventListener("ping", received);
    // The server ends each connection after a while, and the source listens again.
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
    // If the session has ended, this refetch is how the page learns of it.
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

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** True while a list's next page is loading, which a refetch of the list would cancel. */
const isLoadingMore = ({ state: { fetchStatus, fetchMeta } }: Query) =>
  fetchStatus === "fetching" && fetchMeta?.fetchMore !== undefined;

/** Lists that sum up resources of other kinds: the storage that they use, and the health of webhooks. */
const SUMMED: Readonly<Record<string, readonly string[]>> = {
  storage: ["files", "artifacts", "databases"],
  webhooks: ["webhookDeliveries"],
};
const isSumOf = (query: Query, changed: ReadonlySet<string>) =>
  SUMMED[kindOf(query)]?.some((kind) => changed.has(kind)) ?? false;

/** The first part of the operation's name. */
const kindOf = ({ queryKey: [path] }: Query) => String(Array.isArray(path) ? path[0] : path);
