import type { CallOptions } from "./call.ts";
import { type Client, type Request, sleep } from "./client.ts";
import { chunksOf } from "./download.ts";
import { ApiError, errorOf, PlatformError } from "./errors.ts";
import type { ErrorBody, ProjectId, WebhookEvent } from "./generated/types.ts";

/** A server-sent event. */
export interface SentEvent {
  /** The id after which a broken stream continues. */
  id: string | undefined;
  event: string;
  data: string;
}

// The platform sends something every 15 seconds.
const IDLE_MS = 45_000;
const RETRY_MS = 2000;
const MAX_WAIT_MS = 10_000;
// After this time without a connection, throws the last failure.
const GIVE_UP_MS = 10 * 60_000;

/**
 * Yields the events of a stream that follow `lastEventId`. If the connection breaks, it reconnects and continues from
 * the last event. Ends when the platform ends the stream.
 */
export async function* streamOf(
  client: Client,
  path: string,
  options: CallOptions,
  lastEventId?: string,
): AsyncGenerator<SentEvent, void> {
  let last = lastEventId;
  let retryMs = RETRY_MS;
  let connected = Number.NaN;
  for (let failures = 0; ; ) {
    let opened = false;
    try {
      const { response } = await client.send(requestOf(path, options, last));
      if (response.status === 204) return;
      opened = true;
      for await (const block of blocksOf(chunksOf(response, IDLE_MS, options.signal))) {
        failures = 0;
        connected = Date.now();
        retryMs = block.retryMs ?? retryMs;
        if (block.data === undefined) continue;
        if (block.event === "error") throw refusalOf(block.data);
        last = block.id ?? last;
        yield { id: block.id, event: block.event ?? "message", data: block.data };
      }
    } catch (reason) {
      options.signal?.throwIfAborted();
      const passes =
        reason instanceof ApiError
          ? // An access token that expires ends a stream; the next one continues it.
            reason.retryable || (opened && reason.code === "unauthenticated")
          : // Anything else is an error of the caller's `apiKey` function.
            opened || reason instanceof PlatformError;
      // `client.send` has already retried the first connection.
      if (!passes || Number.isNaN(connected) || Date.now() - connected > GIVE_UP_MS) throw reason;
      failures += 1;
    }
    await sleep(
      Math.min(retryMs * 1.5 ** failures, MAX_WAIT_MS) * (0.75 + Math.random() / 2),
      options.signal,
    );
  }
}

/** The filter of a stream of the account's events. */
export interface EventFilter {
  /** `run.*`, `approval.requested`; several as a list or separated by commas; by default every event. */
  types?: readonly string[] | string | undefined;
  projectId?: ProjectId | undefined;
  /** The event after which to start; by default only new events are sent. */
  lastEventId?: string | undefined;
}

export interface FollowEventsOptions extends CallOptions {
  /** Called with each event's body before the event is yielded, byte for byte as in a webhook's delivery. */
  onBody?: ((body: string) => void) | undefined;
}

/** Yields the account's events as they happen, until you leave the loop or abort `signal`. */
export type FollowEvents = (
  filter?: EventFilter,
  options?: FollowEventsOptions,
) => AsyncGenerator<WebhookEvent, void>;

export async function* followAccount(
  client: Client,
  { types, projectId, lastEventId }: EventFilter = {},
  { onBody, ...options }: FollowEventsOptions = {},
): AsyncGenerator<WebhookEvent, void> {
  const search = new URLSearchParams({
    ...(types && { types: String(types) }),
    ...(projectId !== undefined && { projectId }),
  });
  for await (const { data } of streamOf(client, `/events?${search}`, options, lastEventId)) {
    onBody?.(data);
    yield JSON.parse(data) as WebhookEvent;
  }
}

function requestOf(path: string, options: CallOptions, last: string | undefined): Request {
  const headers = { accept: "text/event-stream", ...(last !== undefined && { "last-event-id": last }) };
  return { method: "GET", path, headers, options, streams: true };
}

function refusalOf(data: string): Error {
  const { error }: { error: ErrorBody } = JSON.parse(data);
  return errorOf(error, () => Promise.reject(new PlatformError("A stream can't be repeated.")));
}

interface Block {
  id?: string;
  event?: string;
  data?: string;
  retryMs?: number;
}

/** Yields the blocks of a stream (WHATWG HTML, 9.2.6), including those without data; drops an incomplete last one. */
async function* blocksOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Block> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of chunks) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) yield blockOf(block);
  }
}

function blockOf(text: string): Block {
  const block: Block = {};
  for (const line of text.split("\n")) {
    // JSON may contain Unicode line separators, which do not end a line of a stream.
    const [, field, value = ""] = /^(id|event|data|retry): ?(.*)$/s.exec(line) ?? [];
    if (field === "retry") block.retryMs = Number(value);
    else if (field === "data") block.data = block.data === undefined ? value : `${block.data}\n${value}`;
    else if (field === "id" || field === "event") block[field] = value;
  }
  return block;
}
