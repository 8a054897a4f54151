import type { IncomingMessage, ServerResponse } from "node:http";
import { ClientLeft } from "#server/operation/refuse-left.ts";
import type { HttpRequest } from "../../base/http-message.ts";
import { countStreamed } from "../collect-garbage.ts";

function hasBody({ method, headers }: IncomingMessage) {
  if (method === "GET" || method === "HEAD") return false;
  const length = headers["content-length"];
  return headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0");
}

// Chunks of up to 64 KB that wait for their reader: with one at a time, a large body takes half as long again.
const READ_AHEAD = 8;

/** Gives up on an awaited body that does not arrive, and closes its connection. */
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
      giveUp(new Error(`No data arrived for ${this.#milliseconds} ms.`));
    }, this.#milliseconds);
  }
  end() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

/**
 * Returns the body as a stream that reads on demand, a little ahead; if it is cancelled, the server drains the rest.
 */
function streamOf(
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
    // Nothing is read before it is requested, so "100 Continue" never invites an unwanted body.
    { highWaterMark: 0 },
  );
}

/** Reads the whole body: most bodies are small, and a web stream costs more than all other work on them. */
function wholeBody(message: IncomingMessage, patience: Patience): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const settle = (end: () => void) => {
      patience.end();
      message.off("data", onData).off("end", onEnd).off("error", onFault).off("close", onFault);
      end();
    };
    const onData = (chunk: Buffer) => void chunks.push(chunk);
    const onEnd = () => settle(() => resolve(Buffer.concat(chunks)));
    const onFault = (cause?: Error) =>
      settle(() => reject(new TypeError("The client left before the whole body was sent.", { cause })));
    if (message.destroyed && !message.complete) return onFault();
    patience.await(onFault);
    message.on("data", onData).on("end", onEnd).on("error", onFault).on("close", onFault);
  });
}

/** A request to the platform's own server; rarely used parts are created on first access. */
export class ReceivedRequest implements HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly remoteAddress: string;
  #message: IncomingMessage;
  #answer: ServerResponse;
  #controller: AbortController | undefined;
  #patience: Patience;

  constructor(
    message: IncomingMessage,
    answer: ServerResponse,
    { origin, remoteAddress, bodyPatience }: { origin: string; remoteAddress: string; bodyPatience: number },
  ) {
    this.#patience = new Patience(bodyPatience, answer);
    this.method = message.method ?? "GET";
    this.url = origin + message.url;
    this.remoteAddress = remoteAddress;
    this.#message = message;
    this.#answer = answer;
  }

  get headers() {
    return this.#message.headers as Record<string, string | undefined>;
  }

  get rawHeaders() {
    return this.#message.rawHeaders;
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

  /** Signals the handler that the client has disconnected. */
  abort() {
    this.#controller?.abort(new ClientLeft());
  }

  cut() {
    this.#answer.destroy();
  }

  async readBody() {
    if (!hasBody(this.#message)) return new Uint8Array();
    this.#proceed();
    return wholeBody(this.#message, this.#patience);
  }

  streamBody() {
    if (!hasBody(this.#message)) return null;
    let waits = true;
    return streamOf(this.#message, this.#patience, () => {
      if (waits) this.#proceed();
      waits = false;
    });
  }

  /** Sends "100 Continue" to a client that waits for it. */
  #proceed() {
    if (this.#message.headers.expect?.toLowerCase() === "100-continue") this.#answer.writeContinue();
  }
}
