import { EventSource } from "eventsource";
import { expect, onTestFinished } from "vitest";

/** An entry of a run's timeline. */
export interface Entry {
  seq: number;
  [field: string]: unknown;
}

/**
 * Follows a run by a standard `EventSource`, which reconnects with `Last-Event-ID`. `opened` is called with the start
 * of each of its requests, on the monotonic clock, and the response.
 */
export function follow(address: string, key: string, opened: (began: number, response: Response) => void) {
  const seen: Entry[] = [];
  let streams = 0;
  const ended = Promise.withResolvers<{ id: string; status: string; timeline: Entry[] }>();
  const source = new EventSource(address, {
    async fetch(url, init) {
      const began = performance.now();
      const headers = { ...init.headers, authorization: `Bearer ${key}` };
      const response = await fetch(url, { ...init, headers });
      streams += 1;
      opened(began, response);
      return response;
    },
  });
  onTestFinished(() => source.close());
  source.addEventListener("timeline", ({ data, lastEventId }) => {
    const entry: Entry = JSON.parse(data);
    expect(lastEventId).toBe(String(entry.seq));
    seen.push(entry);
  });
  source.addEventListener("run", ({ data }) => {
    source.close();
    ended.resolve(JSON.parse(data).run);
  });
  return {
    /** The entries as they came. */
    seen,
    /** The number of its requests. */
    streams: () => streams,
    /** Resolves with the run, once it has ended. */
    ended: ended.promise,
  };
}

export type Follower = ReturnType<typeof follow>;
