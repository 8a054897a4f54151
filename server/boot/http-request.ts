import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { countStreamed } from "./collect-garbage.ts";

function readHeader(headers: IncomingHttpHeaders, name: string) {
  const value = headers[name.toLowerCase()];
  return Array.isArray(value) ? value.join(", ") : (value ?? null);
}

/** The request's headers read in place; read-only, like those of any request that was received. */
class ServerHeaders {
  #headers: IncomingHttpHeaders;

  constructor(headers: IncomingHttpHeaders) {
    this.#headers = headers;
  }
  get(name: string) {
    return readHeader(this.#headers, name);
  }
  has(name: string) {
    return this.#headers[name.toLowerCase()] !== undefined;
  }
  getSetCookie() {
    return this.#headers["set-cookie"] ?? [];
  }
  *entries(): Generator<[string, string]> {
    for (const name of Object.keys(this.#headers).sort()) yield [name, readHeader(this.#headers, name) ?? ""];
  }
  *keys() {
    for (const [name] of this.entries()) yield name;
  }
  *values() {
    for (const [, value] of this.entries()) yield value;
  }
  forEach(visit: (value: string, name: string, headers: ServerHeaders) => void) {
    for (const [name, value] of this.entries()) visit(value, name, this);
  }
  [Symbol.iterator]() {
    return this.entries();
  }
  append() {
    throw new TypeError("The headers of a received request cannot be changed.");
  }
  set() {
    throw new TypeError("The headers of a received request cannot be changed.");
  }
  delete() {
    throw new TypeError("The headers of a received request cannot be changed.");
  }
}

Object.setPrototypeOf(ServerHeaders.prototype, Headers.prototype);

function hasBody({ method, headers }: IncomingMessage) {
  if (method === "GET" || method === "HEAD") return false;
  const length = headers["content-length"];
  return headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0");
}

// Chunks of up to 64 KB that wait for their reader: with one at a time a large body takes half as long again.
const READ_AHEAD = 8;

/** Gives up on a body that is awaited and of which nothing comes; its connection is closed then. */
class Patience {
  #timer: NodeJS.Timeout | undefined;
  #milliseconds: number;
  #answer: ServerResponse;

  constructor(milliseconds: number, answer: ServerResponse) {
    this.#milliseconds = milliseconds;
    this.#answer = answer;
  }
  await(giveUp: (reason: Error) => void) {
    this.#timer ??= setTimeout(() => {
      this.#answer.shouldKeepAlive = false;
      giveUp(new Error(`Nothing came for ${this.#milliseconds} ms.`));
    }, this.#milliseconds);
  }
  end() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

/** The body as a stream that is read once asked for, a little ahead; cancelled, the rest is left to the server to drain. */
function streamBody(
  message: IncomingMessage,
  patience: Patience,
  proceed: () => void,
): ReadableStream<Uint8Array> {
  const detach = () => {
    patience.end();
    message.off("data", onData).off("end", onEnd).off("error", onFault).off("close", onFault);
  };
  let stream: ReadableStreamDefaultController<Uint8Array>;
  const onData = (chunk: Buffer) => {
    patience.end();
    countStreamed(chunk.byteLength);
    stream.enqueue(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    if ((stream.desiredSize ?? 0) <= -READ_AHEAD) message.pause();
  };
  const onEnd = () => {
    detach();
    stream.close();
  };
  const onFault = (cause?: Error) => {
    detach();
    stream.error(new TypeError("The client left before the whole body was sent.", { cause }));
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        stream = controller;
        if (message.destroyed && !message.complete) return onFault();
        message.on("data", onData).on("end", onEnd).on("error", onFault).on("close", onFault);
        message.pause();
      },
      pull() {
        proceed();
        patience.await(onFault);
        message.resume();
      },
      cancel() {
        detach();
        message.resume();
      },
    },
    // Nothing is read before it is asked for, so a body that nobody wants is never invited by "100 Continue".
    { highWaterMark: 0 },
  );
}

/** The body read as a whole: most are small, and a stream of the web costs more than all else that is done with them. */
function wholeBody(message: IncomingMessage, patience: Patience): Promise<ArrayBuffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const settle = (end: () => void) => {
      patience.end();
      message.off("data", onData).off("end", onEnd).off("error", onFault).off("close", onFault);
      end();
    };
    const onData = (chunk: Buffer) => void chunks.push(chunk);
    const onEnd = () =>
      settle(() => {
        const whole = Buffer.concat(chunks);
        resolve(whole.buffer.slice(whole.byteOffset, whole.byteOffset + whole.byteLength) as ArrayBuffer);
      });
    const onFault = (cause?: Error) =>
      settle(() => reject(new TypeError("The client left before the whole body was sent.", { cause })));
    if (message.destroyed && !message.complete) return onFault();
    patience.await(onFault);
    message.on("data", onData).on("end", onEnd).on("error", onFault).on("close", onFault);
  });
}

/**
 * The request that handlers see: `instanceof Request`, with method, url, headers, body and signal read in place, and
 * everything else through a true Request made when first asked for, which costs 40 µs.
 */
export class ServerRequest {
  readonly method: string;
  readonly url: string;
  #message: IncomingMessage;
  #answer: ServerResponse;
  #headers: ServerHeaders | undefined;
  #controller: AbortController | undefined;
  #stream: ReadableStream<Uint8Array> | null | undefined;
  #taken = false;
  #request: Request | undefined;

  #patience: Patience;

  constructor(
    message: IncomingMessage,
    answer: ServerResponse,
    { origin, bodyPatience }: { origin: string; bodyPatience: number },
  ) {
    this.#patience = new Patience(bodyPatience, answer);
    this.method = message.method ?? "GET";
    this.url = origin + message.url;
    this.#message = message;
    this.#answer = answer;
  }

  get headers() {
    this.#headers ??= new ServerHeaders(this.#message.headers);
    return this.#headers;
  }

  get signal() {
    if (!this.#controller) {
      this.#controller = new AbortController();
      const left = () => this.#answer.writableFinished || this.abort();
      if (this.#answer.destroyed) left();
      else this.#answer.once("close", left);
    }
    return this.#controller.signal;
  }

  /** Tells whoever works on the request that nobody waits for the rest of its answer. */
  abort() {
    this.#controller?.abort(new DOMException("The client left.", "AbortError"));
  }

  get body() {
    if (this.#request) return this.#request.body;
    if (this.#taken) throw new TypeError("The body was read already.");
    if (this.#stream === undefined) this.#stream = hasBody(this.#message) ? this.#open() : null;
    return this.#stream;
  }
  get bodyUsed() {
    return this.#taken || (this.#request?.bodyUsed ?? false);
  }

  #open() {
    let waits = true;
    return streamBody(this.#message, this.#patience, () => {
      if (waits) this.#proceed();
      waits = false;
    });
  }

  /** Says "100 Continue" to a client that waits for it. */
  #proceed() {
    if (this.#message.headers.expect?.toLowerCase() === "100-continue") this.#answer.writeContinue();
  }

  #real() {
    this.#request ??= new Request(this.url, {
      method: this.method,
      headers: [...this.headers],
      signal: this.signal,
      body: this.body,
      ...(this.body && { duplex: "half" }),
    } as RequestInit);
    return this.#request;
  }

  get cache() {
    return this.#real().cache;
  }
  get credentials() {
    return this.#real().credentials;
  }
  get destination() {
    return this.#real().destination;
  }
  get duplex() {
    return "half";
  }
  get integrity() {
    return this.#real().integrity;
  }
  get keepalive() {
    return this.#real().keepalive;
  }
  get mode() {
    return this.#real().mode;
  }
  get redirect() {
    return this.#real().redirect;
  }
  get referrer() {
    return this.#real().referrer;
  }
  get referrerPolicy() {
    return this.#real().referrerPolicy;
  }
  clone() {
    return this.#real().clone();
  }
  json() {
    return this.#real().json();
  }
  text() {
    return this.#real().text();
  }
  arrayBuffer() {
    if (this.#stream !== undefined || this.#taken || !hasBody(this.#message))
      return this.#real().arrayBuffer();
    this.#taken = true;
    this.#proceed();
    return wholeBody(this.#message, this.#patience);
  }
  bytes() {
    return this.#real().bytes();
  }
  blob() {
    return this.#real().blob();
  }
  formData() {
    return this.#real().formData();
  }
}

Object.setPrototypeOf(ServerRequest.prototype, Request.prototype);
