import { platform } from "#server/platform.ts";
import { judgeAgain } from "./admit.ts";
import type { Call } from "./call.ts";
import type { CallResponse } from "./call-response.ts";
import { AccountFrozen, asApiError } from "./faults.ts";
import { errorResponse } from "./response.ts";
import type { OpenEvents, StreamEvent, StreamResult } from "./stream-result.ts";

const HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
};
const RETRY_MS = 2000;
// When a process stops, its clients reconnect spread over this time.
const SPREAD_MS = 3000;
/** The changes that may affect a caller's access. */
const ACCESS: readonly string[] = ["apiKeys", "apps", "members"];

/**
 * Returns the response that streams a handler's events until they end, the caller loses access, or the client
 * disconnects.
 */
export function streamResponse(result: StreamResult, call: Call, response: CallResponse): CallResponse {
  const { open, kind, accountId } = result;
  if (!open) return { ...response, status: 204, body: "", bytes: null };
  const headers = { ...response.headers, ...HEADERS };
  if (call.byteRequest?.head) return { ...response, headers, body: "", bytes: null };
  const leave = platform().streams.enter(kind, accountId);
  const source = new ServedStream(open, result, call, leave);
  // Events wait in storage and not here: a page is read only after the client has taken the previous one.
  const bytes = new ReadableStream<Uint8Array>(source, { highWaterMark: 0 });
  return { ...response, headers, body: "", bytes };
}

function textOf(events: readonly StreamEvent[]): string {
  return events
    .map(
      ({ event, id, data }) => `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`,
    )
    .join("");
}

/** The source of a stream's bytes. */
class ServedStream implements UnderlyingDefaultSource<Uint8Array> {
  readonly type = undefined;
  readonly #limits = platform().streams.limits;
  readonly #stopped = new AbortController();
  readonly #events: ReturnType<OpenEvents>;
  readonly #call: Call;
  readonly #judgeCaller: () => Promise<void>;
  readonly #release: (() => void)[];
  #stall: NodeJS.Timeout | undefined;
  #wake: (() => void) | undefined;
  #begun = false;
  #reading = false;
  #judging = false;
  /** Whether the caller must be judged, perhaps again: the running judgement may have begun before a change. */
  #judgeDue = false;
  /** Text that was read and is not sent yet. */
  #page: string | null = null;
  /** The final text to send; null while the stream continues. */
  #last: string | null = null;

  constructor(open: OpenEvents, { accountId, judge }: StreamResult, call: Call, leave: () => void) {
    const { heartbeatMs, lifetimeMs } = this.#limits;
    const running = platform();
    this.#call = call;
    this.#judgeCaller = judge ?? (() => judgeAgain(call, {}));
    this.#events = open(this.#stopped.signal);
    const lifetime = setTimeout(() => this.#finish(""), lifetimeMs * (0.9 + Math.random() / 10));
    const judging = setInterval(() => void this.#judge(), heartbeatMs);
    const unsubscribe = running.changes.subscribe([accountId], (change) => {
      if (ACCESS.includes(change)) void this.#judge();
    });
    const stop = () => this.#sendAway();
    const signals = [call.signal, running.streams.stopping];
    for (const signal of signals) {
      if (signal.aborted) queueMicrotask(stop);
      else signal.addEventListener("abort", stop, { once: true });
    }
    this.#release = [
      leave,
      unsubscribe,
      () => clearTimeout(lifetime),
      () => clearInterval(judging),
      () => clearTimeout(this.#stall),
      () => {
        for (const signal of signals) signal.removeEventListener("abort", stop);
      },
      () => this.#stopped.abort(),
      () => void this.#events.return().catch(() => undefined),
    ];
  }

  async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    clearTimeout(this.#stall);
    const text = await this.#next();
    if (text !== "") controller.enqueue(new TextEncoder().encode(text));
    if (text === "" || this.#last === "") controller.close();
    else if (this.#last === null) this.#stall = setTimeout(() => this.#cutOff(), this.#limits.stallMs);
  }

  cancel(): void {
    this.#finish("");
  }

  /** Returns the next text to send; empty at the end. */
  async #next(): Promise<string> {
    if (!this.#begun) {
      this.#begun = true;
      return `retry: ${RETRY_MS}\n\n`;
    }
    for (;;) {
      if (this.#last !== null) {
        const last = this.#last;
        this.#last = "";
        return last;
      }
      if (this.#page !== null) {
        const page = this.#page;
        this.#page = null;
        return page;
      }
      this.#read();
      if (!(await this.#woken())) return ": still here\n\n";
    }
  }

  /** Waits for something to send; false if nothing came within the heartbeat interval. */
  #woken(): Promise<boolean> {
    return new Promise((done) => {
      const timer = setTimeout(() => done(false), this.#limits.heartbeatMs);
      this.#wake = () => {
        clearTimeout(timer);
        done(true);
      };
    });
  }

  #read(): void {
    if (this.#reading) return;
    this.#reading = true;
    this.#events.next().then(
      ({ done, value }) => {
        this.#reading = false;
        if (done) return this.#finish("");
        this.#page = textOf(value);
        this.#wake?.();
      },
      (reason) => this.#fail(reason),
    );
  }

  async #judge(): Promise<void> {
    this.#judgeDue = true;
    if (this.#judging) return;
    this.#judging = true;
    while (this.#judgeDue && this.#last === null) {
      this.#judgeDue = false;
      await this.#judgeCaller().catch((reason) => this.#refuse(reason));
    }
    this.#judging = false;
  }

  #refuse(reason: unknown): void {
    const error = asApiError(reason, this.#call.requestId);
    // A frozen account may be moving to another cell, to which its clients are led when they connect again.
    if (error instanceof AccountFrozen) this.#sendAway();
    // While the database is unreachable the stream stays open: nothing is streamed then either.
    else if (error.status < 500) this.#fail(reason);
  }

  /** Ends the stream, and says when to connect again. */
  #sendAway(): void {
    this.#finish(`retry: ${Math.round(500 + Math.random() * SPREAD_MS)}\n\n`);
  }

  /** Ends the stream with an event that says why. */
  #fail(reason: unknown): void {
    const { requestId } = this.#call;
    const { body } = errorResponse(asApiError(reason, requestId), requestId);
    this.#finish(textOf([{ event: "error", data: body }]));
  }

  #cutOff(): void {
    this.#finish("");
    this.#call.byteRequest?.cut();
  }

  /** Ends the stream; `last` is still sent. */
  #finish(last: string): void {
    if (this.#last !== null) return;
    this.#last = last;
    for (const release of this.#release) release();
    this.#wake?.();
  }
}
