import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fromFetchResponse, type HttpRequest, type HttpResponse, reply } from "#server/base/http-message.ts";
import { createHttpServer } from "#server/boot/http/http-server.ts";
import { onCleanup } from "./cleanup.ts";

async function readAll(request: HttpRequest) {
  let size = 0;
  for await (const chunk of request.streamBody() ?? []) size += chunk.byteLength;
  return size;
}

/** Parses the JSON body of a raw response. */
export function bodyOf(answer: string) {
  return JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4));
}

/** Starts the HTTP server in front of handlers that show its behaviour, until the test file ends. */
export async function startHttpServer() {
  /** The last request, and the abortion of the last one that was followed. */
  const seen: { request?: HttpRequest; aborted?: Promise<void> } = {};

  /** The responses of the handler under test, by path. */
  const answers: Record<string, (request: HttpRequest) => HttpResponse | Promise<HttpResponse>> = {
    "/v1/echo": async (request) => {
      const text = Buffer.from(await request.readBody()).toString();
      return reply(JSON.stringify({ method: request.method, url: request.url, text }));
    },
    "/v1/size": async (request) =>
      reply(String(await readAll(request)), { headers: { "content-type": "text/plain" } }),
    "/v1/refuse": () => reply("too large", { status: 413, headers: { "content-type": "text/plain" } }),
    "/v1/cookies": () => reply(null, { status: 204, headers: { "set-cookie": ["a=1", "b=2"] } }),
    "/v1/whole": () => fromFetchResponse(new Response("whole")),
    "/v1/broken": () => {
      throw new Error("A fault of the handler's own.");
    },
    "/v1/slow": async () => {
      await sleep(400);
      return reply("done");
    },
    "/v1/events": (request) => {
      const left = Promise.withResolvers<void>();
      seen.aborted = left.promise;
      request.signal.addEventListener("abort", () => left.resolve());
      const stream = new ReadableStream({
        start: (controller) => controller.enqueue(Buffer.from("data: 1\n\n")),
      });
      return reply(stream, { headers: { "content-type": "text/event-stream" } });
    },
  };

  async function handler(request: HttpRequest) {
    seen.request = request;
    const answer = answers[new URL(request.url).pathname];
    return answer ? answer(request) : reply("handler");
  }

  const server = createHttpServer({
    baseUrl: "https://platform.example",
    handlers: { "/v1": handler, "/health": handler },
    next: (message, answer) =>
      answer.end(message.url === "/headers" ? JSON.stringify(message.headers) : `next ${message.url}`),
  });
  const port = await server.listen(0, "127.0.0.1");
  onCleanup(() => server.close(1000));

  /** Sends raw bytes and returns the response until the server closes; after `100 Continue` it sends the body. */
  async function sendRaw(text: string, body = "") {
    const socket = connect(port, "127.0.0.1");
    let received = "";
    socket.on("data", (data) => {
      received += data;
      if (received === "HTTP/1.1 100 Continue\r\n\r\n") socket.write(body);
    });
    socket.on("error", () => undefined);
    socket.write(text);
    await new Promise((done) => socket.once("close", done));
    return received;
  }

  /** Sends all bytes before reading the response, as simple clients do. */
  async function sendThenRead(text: string) {
    const socket = connect(port, "127.0.0.1");
    let received = "";
    socket.on("error", () => undefined);
    socket.write(text, (fault) => {
      if (fault) return;
      socket.on("data", (data) => {
        received += data;
      });
    });
    await new Promise((done) => socket.once("close", done));
    return received;
  }

  return { handler, seen, port, origin: `http://127.0.0.1:${port}`, sendRaw, sendThenRead };
}
