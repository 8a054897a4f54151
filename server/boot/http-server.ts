import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { HttpHandler } from "../http-message.ts";
import { log } from "../log.ts";
import { type SpanOptions, span } from "../telemetry.ts";
import { createAddressReader } from "./client-address.ts";
import { closeGently } from "./close-connection.ts";
import { closeServer } from "./close-server.ts";
import { answerFault, refuseConnection } from "./http-faults.ts";
import { ReceivedRequest } from "./http-request.ts";
import { writeAnswer } from "./http-response.ts";
import { portOf } from "./processes.ts";
import { answerHeaders, forwardedHeaders } from "./server-headers.ts";

export interface HttpServerOptions {
  /** Where the platform is reached; every address is made of it, never of a request's `Host`. */
  baseUrl: string;
  /** Handlers by the first segment of the path, or by two: `/v1` also takes `/v1/projects`. */
  handlers: Record<string, HttpHandler>;
  /** Takes everything else; `X-Forwarded-For` is then the client's address alone. */
  next?: (message: IncomingMessage, answer: ServerResponse) => unknown;
  /** Whether WebSockets are let through to Next.js, which opens them in development and listens by itself. */
  webSockets?: boolean;
  /** How long, in milliseconds, a client may take to send its headers, and be silent amid its body. */
  patience?: { headers: number; body: number };
  /** Addresses and networks (`10.0.0.0/8`) whose `X-Forwarded-For` counts. */
  trustedProxies?: string[];
}

const MAX_CONNECTIONS = 10_000;
/** How many connections may come at once while the process is busy: those beyond the 511 of Node.js time out or are reset. */
const MAX_WAITING_CONNECTIONS = 4096;
// What a refused upload may still send before its connection is cut.
const drainBytes = 16 * 1024 * 1024;
const drainMilliseconds = 15_000;

function firstSegments(path: string, count: number) {
  let left = count;
  for (let index = 1; index < path.length; index++) {
    const code = path.charCodeAt(index);
    if (code === 63 || (code === 47 && --left === 0)) return path.slice(0, index);
  }
  return path;
}

/** The path and query of a request target, which may be a whole address. */
function pathOf(target = "") {
  if (target.startsWith("/")) return target;
  const rest = /^https?:\/\/[^/?#]*(.*)$/i.exec(target)?.[1];
  if (rest === undefined) return target;
  return rest.startsWith("/") ? rest : `/${rest}`;
}

/** What makes a request that was understood one that a proxy before us may have understood otherwise. */
function faultOf({ httpVersion, headers }: IncomingMessage): string | null {
  const encoding = headers["transfer-encoding"];
  if (encoding !== undefined && httpVersion !== "1.1")
    return "A request of HTTP/1.0 has no Transfer-Encoding. Send Content-Length.";
  if (encoding !== undefined && encoding.toLowerCase() !== "chunked")
    return `The request has the Transfer-Encoding ${encoding}. Send it chunked alone, or with Content-Length.`;
  const { host } = headers;
  const oneHost = httpVersion !== "1.1" || (host !== undefined && !host.includes(","));
  return oneHost ? null : "A request has exactly one Host header.";
}

/** Reads away what a client still sends after its answer, so that it reads the answer; up to a bound. */
function drain(message: IncomingMessage) {
  if (message.complete || message.destroyed) return;
  const { socket } = message;
  message.removeAllListeners("data");
  const bytes = socket.bytesRead + drainBytes;
  const deadline = Date.now() + drainMilliseconds;
  message.resume();
  const watch = setInterval(() => {
    if (message.complete || socket.destroyed) return clearInterval(watch);
    if (socket.bytesRead > bytes || Date.now() > deadline) socket.destroy();
  }, 100);
  watch.unref();
}

/** What a trace says of a request: no more of its address than the part that is the platform's own. */
function arrivalOf({ url = "", headers }: IncomingMessage): SpanOptions {
  // Of other addresses the second part may be the right to what they answer.
  const shown = url.startsWith("/v1/") || url.startsWith("/api/") ? 2 : 1;
  return {
    kind: "server",
    attributes: { "url.path": firstSegments(url, shown).split("?")[0] },
    parent: String(headers.traceparent ?? ""),
  };
}

/** The platform's HTTP server: handlers are called directly, everything else is handed to Next.js. */
export function createHttpServer({
  baseUrl,
  handlers,
  next,
  webSockets = false,
  patience = { headers: 20_000, body: 60_000 },
  trustedProxies = [],
}: HttpServerOptions) {
  const byPath = new Map(Object.entries(handlers));
  const active = new Map<ServerResponse, ReceivedRequest | undefined>();
  // Streams that are ending, so that their last event still reaches their clients.
  const ending = new WeakSet<ServerResponse>();
  // Connections that are no longer HTTP's own: the server would wait for them, and could not close them.
  const upgraded = new Set<Duplex>();
  const refused = new WeakSet<Socket>();
  const readAddress = createAddressReader(trustedProxies);
  const always = answerHeaders(baseUrl);
  const headersToSet = new Map(Object.entries(always));
  let closing = false;

  function handlerOf(message: IncomingMessage) {
    message.url = pathOf(message.url);
    return byPath.get(firstSegments(message.url, 1)) ?? byPath.get(firstSegments(message.url, 2));
  }

  function fail(message: IncomingMessage, answer: ServerResponse, error: unknown) {
    if (!answer.headersSent) answer.setHeaders(headersToSet);
    const requestId = answerFault(
      answer,
      baseUrl,
      "internal",
      "The platform failed to answer; its log says why under this request id.",
    );
    log.error("A request failed outside its pipeline.", { requestId, method: message.method, error });
  }

  async function callHandler(handler: HttpHandler, message: IncomingMessage, answer: ServerResponse) {
    const request = new ReceivedRequest(message, answer, {
      origin: baseUrl,
      remoteAddress: readAddress(message),
      bodyPatience: patience.body,
    });
    active.set(answer, request);
    try {
      await writeAnswer(
        answer,
        await span(
          String(message.method),
          () => arrivalOf(message),
          () => handler(request),
        ),
        always,
      );
    } catch (error) {
      fail(message, answer, error);
    }
    drain(message);
  }

  async function answerNext(message: IncomingMessage, answer: ServerResponse) {
    Object.assign(message.headers, forwardedHeaders(baseUrl, readAddress(message)));
    try {
      await next?.(message, answer);
    } catch (error) {
      fail(message, answer, error);
    }
  }

  function handle(message: IncomingMessage, answer: ServerResponse) {
    active.set(answer, undefined);
    answer.once("close", () => active.delete(answer));
    if (closing) answer.shouldKeepAlive = false;
    const fault = faultOf(message);
    const handler = fault ? undefined : handlerOf(message);
    if (handler) return void callHandler(handler, message, answer);
    answer.setHeaders(headersToSet);
    if (fault) {
      answer.shouldKeepAlive = false;
      return answerFault(answer, baseUrl, "invalid_request", fault);
    }
    if (next && message.url?.startsWith("/")) return void answerNext(message, answer);
    answerFault(
      answer,
      baseUrl,
      "invalid_request",
      `The request target "${message.url}" is no path of this server.`,
    );
  }

  /** Answers bytes that are no request, behind the answers to whole requests that came before them. */
  function refuse(socket: Socket, fault: NodeJS.ErrnoException) {
    if (refused.has(socket)) return;
    refused.add(socket);
    const before = [...active.keys()].filter(({ req }) => req.socket === socket && req.complete).at(-1);
    // After a request that closes the connection, whatever follows is not read.
    if (fault.code === "HPE_CLOSED_CONNECTION") return void before?.once("close", () => closeGently(socket));
    if (before) return void before.once("close", () => refuseConnection(socket, baseUrl, fault));
    refuseConnection(socket, baseUrl, fault);
  }

  const server = createServer({
    // Repeated headers are joined, as fetch does it, instead of dropped.
    joinDuplicateHeaders: true,
    requireHostHeader: false,
    headersTimeout: patience.headers,
    requestTimeout: 30 * 60_000,
    connectionsCheckingInterval: patience.headers / 4,
    // Longer than the idle time of the usual load balancers, which else reuse a connection that we just closed.
    keepAliveTimeout: 75_000,
    shouldUpgradeCallback: (message) => webSockets && !handlerOf(message),
  });
  server.maxHeadersCount = 0;
  // More would take the file descriptors that everything else needs.
  server.maxConnections = MAX_CONNECTIONS;
  // Node.js would close it with bytes unread, which resets the connection and takes the answer along.
  server.on("connection", (socket) => {
    socket.destroySoon = () => closeGently(socket);
  });
  server.on("request", handle);
  server.on("checkContinue", (message, answer) => {
    // Handlers say "100 Continue" when they first read the body; Next.js does not know how.
    if (!handlerOf(message)) answer.writeContinue();
    handle(message, answer);
  });
  server.on("checkExpectation", handle);
  server.on("connect", (_message, socket) =>
    refuseConnection(socket as Socket, baseUrl, new Error("CONNECT is for proxies, and this is none")),
  );
  if (webSockets) {
    server.on("upgrade", (_message, socket) => {
      upgraded.add(socket);
      socket.once("close", () => upgraded.delete(socket));
    });
  }
  server.on("clientError", (fault, socket) => refuse(socket as Socket, fault));

  function abortStreams() {
    for (const [answer, request] of active) {
      if (!answer.headersSent || !String(answer.getHeader("content-type")).startsWith("text/event-stream"))
        continue;
      if (ending.has(answer)) answer.end();
      ending.add(answer);
      request?.abort();
    }
  }

  /** Has each connection end with its next answer, so that clients open theirs elsewhere. */
  function retire() {
    closing = true;
    for (const [answer] of active) answer.shouldKeepAlive = false;
  }

  return {
    /** Listens on all addresses of the machine, or on one; returns the port. */
    listen(port: number, host?: string) {
      return new Promise<number>((done, fail) => {
        server.once("error", fail);
        server.listen(port, host, MAX_WAITING_CONNECTIONS, () => {
          server.off("error", fail);
          done(portOf(server));
        });
      });
    },
    retire,
    /** Aborts streams, lets requests under way finish for up to `milliseconds`, then closes every connection. */
    async close(milliseconds = 10_000) {
      retire();
      for (const socket of upgraded) socket.destroy();
      await closeServer(server, milliseconds, abortStreams);
    },
  };
}
