import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { HttpHandler } from "../../base/http-message.ts";
import { log } from "../../base/log.ts";
import { type SpanOptions, span } from "../../base/telemetry.ts";
import { portOf } from "../processes.ts";
import { createAddressReader } from "./client-address.ts";
import { closeGently } from "./close-connection.ts";
import { closeServer } from "./close-server.ts";
import { answerFault, refuseConnection } from "./http-faults.ts";
import { ReceivedRequest } from "./http-request.ts";
import { writeAnswer } from "./http-response.ts";
import { answerHeaders, forwardedHeaders } from "./server-headers.ts";

export interface HttpServerOptions {
  /** The platform's public address; all absolute addresses are built from it, never from a request's `Host`. */
  baseUrl: string;
  /** Handlers by the first segment of the path, or by two: `/v1` also takes `/v1/projects`. */
  handlers: Record<string, HttpHandler>;
  /** Handles all other requests; `X-Forwarded-For` then contains only the client's address. */
  next?: (message: IncomingMessage, answer: ServerResponse) => unknown;
  /** True if WebSockets are passed to Next.js, which opens them in development and listens for them itself. */
  webSockets?: boolean;
  /**
   * How long, in milliseconds, a client may take to send its headers, may be silent within its body, and may read nothing
   * of a streamed answer.
   */
  patience?: { headers: number; body: number; answer: number };
  /** Addresses and networks (`10.0.0.0/8`) whose `X-Forwarded-For` is trusted. */
  trustedProxies?: string[];
}

const MAX_CONNECTIONS = 10_000;
/** Connections that may wait while the process is busy: beyond the 511 of Node.js, they would time out or be reset. */
const MAX_WAITING_CONNECTIONS = 4096;
// The bytes that a refused upload may still send before its connection is closed.
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

/** Returns the path and query of a request target, which may be an absolute URL. */
function pathOf(target = "") {
  if (target.startsWith("/")) return target;
  const rest = /^https?:\/\/[^/?#]*(.*)$/i.exec(target)?.[1];
  if (rest === undefined) return target;
  return rest.startsWith("/") ? rest : `/${rest}`;
}

/** Returns the fault of a request that a proxy before us may have interpreted differently; null if it has none. */
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

/** Discards the bytes that a client still sends, so that it reads the response; up to a bound. */
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

/** Returns a trace's attributes of a request; from its address, only the part that the platform defines. */
function arrivalOf({ url = "", headers }: IncomingMessage): SpanOptions {
  // In other addresses, the second segment may be a secret.
  const shown = url.startsWith("/v1/") || url.startsWith("/api/") ? 2 : 1;
  return {
    kind: "server",
    attributes: { "url.path": firstSegments(url, shown).split("?")[0] },
    parent: String(headers.traceparent ?? ""),
  };
}

/** The responses that have not ended, each with its request once a handler answers it. */
type Active = Map<ServerResponse, ReceivedRequest | undefined>;

/** Streams that are ending, so that their last event still reaches their clients. */
const ending = new WeakSet<ServerResponse>();

function abortStreams(active: Active) {
  for (const [answer, request] of active) {
    if (!answer.headersSent || !String(answer.getHeader("content-type")).startsWith("text/event-stream"))
      continue;
    if (ending.has(answer)) answer.end();
    ending.add(answer);
    request?.abort();
  }
}

const refused = new WeakSet<Socket>();

/** Responds to bytes that are not a request, after the responses to the complete requests before them. */
function refuse(socket: Socket, fault: NodeJS.ErrnoException, active: Active, baseUrl: string) {
  if (refused.has(socket)) return;
  refused.add(socket);
  const before = [...active.keys()].filter(({ req }) => req.socket === socket && req.complete).at(-1);
  // After a request that closes the connection, no further bytes are read.
  if (fault.code === "HPE_CLOSED_CONNECTION") return void before?.once("close", () => closeGently(socket));
  if (before) return void before.once("close", () => refuseConnection(socket, baseUrl, fault));
  refuseConnection(socket, baseUrl, fault);
}

/** Creates a server with the platform's limits and timeouts; `headersTimeout` is in milliseconds. */
function createBoundedServer(headersTimeout: number, isUpgraded: (message: IncomingMessage) => boolean) {
  const server = createServer({
    // Repeated headers are joined, as fetch does, instead of dropped.
    joinDuplicateHeaders: true,
    requireHostHeader: false,
    headersTimeout,
    requestTimeout: 30 * 60_000,
    connectionsCheckingInterval: headersTimeout / 4,
    // Longer than the idle time of common load balancers, which would otherwise reuse a connection that we just closed.
    keepAliveTimeout: 75_000,
    shouldUpgradeCallback: isUpgraded,
  });
  server.maxHeadersCount = 0;
  // More would use up the file descriptors that other work needs.
  server.maxConnections = MAX_CONNECTIONS;
  // Node.js would close it with unread bytes, which resets the connection and loses the response.
  server.on("connection", (socket) => {
    socket.destroySoon = () => closeGently(socket);
  });
  return server;
}

/** Creates the platform's HTTP server: it calls handlers directly and passes all other requests to Next.js. */
export function createHttpServer({
  baseUrl,
  handlers,
  next,
  webSockets = false,
  patience = { headers: 20_000, body: 60_000, answer: 60_000 },
  trustedProxies = [],
}: HttpServerOptions) {
  const byPath = new Map(Object.entries(handlers));
  const active: Active = new Map();
  // Upgraded connections: the server would wait for them, and could not close them.
  const upgraded = new Set<Duplex>();
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
        { always, patienceMs: patience.answer },
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

  const server = createBoundedServer(patience.headers, (message) => webSockets && !handlerOf(message));
  server.on("request", handle);
  server.on("checkContinue", (message, answer) => {
    // Handlers send "100 Continue" when they first read the body; Next.js cannot.
    if (!handlerOf(message)) answer.writeContinue();
    handle(message, answer);
  });
  server.on("checkExpectation", handle);
  server.on("connect", (_message, socket) =>
    refuseConnection(
      socket as Socket,
      baseUrl,
      new Error("CONNECT is for proxies, and this server is not one"),
    ),
  );
  if (webSockets) {
    server.on("upgrade", (_message, socket) => {
      upgraded.add(socket);
      socket.once("close", () => upgraded.delete(socket));
    });
  }
  server.on("clientError", (fault, socket) => refuse(socket as Socket, fault, active, baseUrl));

  /** Closes each connection after its next response, so that clients connect to another process. */
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
    /** Aborts streams, lets running requests finish for up to `milliseconds`, then closes every connection. */
    async close(milliseconds = 10_000) {
      retire();
      for (const socket of upgraded) socket.destroy();
      await closeServer(server, milliseconds, () => abortStreams(active));
    },
  };
}
