import type { Dispatcher } from "undici";
import { asOutboundError, OutboundError } from "./outbound-error.ts";

interface Bounds {
  timeoutMs: number;
  maximumBytes: number;
  signal?: AbortSignal | undefined;
}

const WAITING_BYTES = 256 * 1024;
const MAX_EARLY = 100;
const SMALL_BYTES = 1024;
const GATHERED = 1024;

/**
 * One request with its response, within limits of time and size, on undici's lowest layer: its own streams and abort
 * signals take several times as long as the rest of a small request.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  status = 0;
  headers: Record<string, string> = {};
  /** Resolves when the response begins. */
  readonly begun: Promise<Exchange>;
  #begin!: (answer: Exchange) => void;
  #refuse!: (error: OutboundError) => void;
  readonly #target: URL;
  readonly #bounds: Bounds;
  readonly #timer: NodeJS.Timeout;
  readonly #leave: () => void;
  #controller: Dispatcher.DispatchController | null = null;
  #chunks: Uint8Array[] = [];
  #waiting = 0;
  #size = 0;
  #early = 0;
  #small = 0;
  /** True if the whole body is awaited, so that there is no reason to pause the peer. */
  #whole = false;
  #over = false;
  #error: OutboundError | null = null;
  #changed: (() => void) | null = null;

  constructor(target: URL, bounds: Bounds) {
    this.#target = target;
    this.#bounds = bounds;
    this.begun = new Promise((resolve, reject) => {
      this.#begin = resolve;
      this.#refuse = reject;
    });
    const { timeoutMs, signal } = bounds;
    this.#timer = setTimeout(
      () => this.#fail(new OutboundError("timeout", `No whole answer within ${timeoutMs} ms.`)),
      timeoutMs,
    );
    this.#leave = () =>
      this.#fail(new OutboundError("aborted", "The request was cancelled.", { cause: signal?.reason }));
    if (signal?.aborted) this.#leave();
    signal?.addEventListener("abort", this.#leave);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#over) controller.abort(this.#error ?? new Error("Over."));
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200 || status > 599) {
      this.#refuseStatus(status);
      return;
    }
    this.status = status;
    for (const [name, value] of Object.entries(headers))
      this.headers[name] = Array.isArray(value) ? value.join(", ") : (value ?? "");
    this.#begin(this);
  }

  /** Skips interim (1xx) responses, up to a limit. */
  #refuseStatus(status: number): void {
    const { host } = this.#target;
    this.#early += 1;
    if (status > 599)
      this.#fail(
        new OutboundError("invalid_answer", `${host} answers the status ${status}, which HTTP has not.`),
      );
    else if (this.#early > MAX_EARLY)
      this.#fail(new OutboundError("invalid_answer", `${host} sends no end of 1xx answers.`));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    // A parser that resumes within a body that ends with its connection may have no bytes yet.
    if (chunk.byteLength === 0) return;
    this.#size += chunk.byteLength;
    const { maximumBytes } = this.#bounds;
    if (this.#size > maximumBytes)
      this.#fail(new OutboundError("too_large", `The answer has more than ${maximumBytes} bytes.`));
    this.#keep(chunk);
    this.#waiting += chunk.byteLength;
    if (!this.#whole && this.#waiting > WAITING_BYTES) controller.pause();
    this.#changed?.();
  }

  /** Joins small chunks: stored one by one, single bytes would take a hundred times their size. */
  #keep(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    if (chunk.byteLength >= SMALL_BYTES) return;
    this.#small += 1;
    if (this.#small < GATHERED) return;
    this.#small = 0;
    this.#chunks.push(Buffer.concat(this.#chunks.splice(-GATHERED)));
  }

  onResponseEnd(): void {
    this.#end();
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#fail(asOutboundError(error, this.#target));
  }

  get body(): AsyncIterable<Uint8Array> {
    return { [Symbol.asyncIterator]: () => this.#read() };
  }

  async bytes(): Promise<Uint8Array> {
    this.#whole = true;
    while (!this.#over) await this.#change();
    if (this.#error) throw this.#error;
    return Buffer.concat(this.#chunks);
  }

  async text(): Promise<string> {
    return Buffer.from(await this.bytes()).toString("utf8");
  }

  async start(bytes: number): Promise<Uint8Array> {
    this.#whole = true;
    while (!this.#over && this.#size < bytes) await this.#change();
    if (this.#error) throw this.#error;
    if (!this.#over) this.#drop();
    return Buffer.concat(this.#chunks).subarray(0, bytes);
  }

  async *#read(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        for (let chunk = this.#chunks.shift(); chunk; chunk = this.#chunks.shift()) {
          this.#waiting -= chunk.byteLength;
          yield chunk;
        }
        if (this.#error) throw this.#error;
        if (this.#over) return;
        await this.#change();
      }
    } finally {
      if (!this.#over) this.#drop();
    }
  }

  /** Waits for more bytes or the end. */
  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#changed = resolve;
      // Set first: bytes may arrive while it resumes, and nothing would signal them again.
      this.#controller?.resume();
    });
  }

  /** Ends the connection: the rest is not needed. */
  #drop(): void {
    this.#end();
    this.#controller?.abort(new Error("The rest of the answer is not wanted."));
  }

  #fail(error: OutboundError): void {
    if (this.#over) return;
    // A request that was still waiting for a connection has not reached anybody.
    if (!this.#controller) error.maybeSent = false;
    this.#error = error;
    this.#end();
    this.#refuse(error);
    this.#controller?.abort(error);
  }

  #end(): void {
    this.#over = true;
    clearTimeout(this.#timer);
    this.#bounds.signal?.removeEventListener("abort", this.#leave);
    this.#changed?.();
  }
}
