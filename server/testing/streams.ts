import { onTestFinished } from "vitest";

/** An event as received; `retry` if its block has one. */
export interface Streamed {
  event: string;
  id: string | null;
  retry: number | null;
  // biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of the data by looking into it.
  data: any;
}

/** Opens a stream of server-sent events, parsed by the standard only. It is closed when the test ends. */
export async function openStream(
  address: string,
  {
    key,
    lastEventId,
    headers = {},
  }: { key?: string; lastEventId?: string; headers?: Record<string, string> } = {},
) {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const response = await fetch(address, {
    signal: leaving.signal,
    headers: {
      ...(key && { authorization: `Bearer ${key}` }),
      ...(lastEventId !== undefined && { "last-event-id": lastEventId }),
      ...headers,
    },
  });
  const body = response.body ?? new ReadableStream({ start: (controller) => controller.close() });
  const reader = (body as ReadableStream<BufferSource>).pipeThrough(new TextDecoderStream()).getReader();
  let text = "";

  /** Returns the next block, including comments; null if the stream has ended. */
  async function nextBlock(): Promise<string | null> {
    for (;;) {
      const end = text.indexOf("\n\n");
      if (end >= 0) {
        const block = text.slice(0, end);
        text = text.slice(end + 2);
        return block;
      }
      const { value, done } = await reader.read();
      if (done) return null;
      text += value;
    }
  }

  /** Returns the next event; null if the stream has ended. */
  async function next(): Promise<Streamed | null> {
    for (let block = await nextBlock(); block !== null; block = await nextBlock()) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block ?? "")?.[1] ?? null;
      const data = field("data");
      const retry = field("retry");
      if (data === null) continue;
      return {
        event: field("event") ?? "message",
        id: field("id"),
        retry: retry === null ? null : Number(retry),
        data: JSON.parse(data),
      };
    }
    return null;
  }

  /** Returns all events until the end, or at most so many. */
  async function take(most = Number.POSITIVE_INFINITY): Promise<Streamed[]> {
    const events: Streamed[] = [];
    while (events.length < most) {
      const event = await next();
      if (!event) break;
      events.push(event);
    }
    return events;
  }

  return {
    status: response.status,
    headers: response.headers,
    nextBlock,
    next,
    take,
    /** Returns the response of a refused request. */
    refusal: async () => {
      for (let block = text; ; ) {
        const { value, done } = await reader.read();
        if (done) return JSON.parse(block);
        block += value;
      }
    },
    leave: () => leaving.abort(),
  };
}
