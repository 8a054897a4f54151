import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { reply } from "#server/base/http-message.ts";
import { bodyOf, startHttpServer } from "#server/testing/http-server.ts";
import { createHttpServer } from "./http-server.ts";

const { handler, seen, port, origin, sendRaw, sendThenRead } = await startHttpServer();

test("streams a body that is longer than memory should hold", async () => {
  const chunk = new Uint8Array(1024 * 1024);
  let sent = 0;
  const body = new ReadableStream({
    pull: (controller) => (sent++ < 64 ? controller.enqueue(chunk) : controller.close()),
  });
  const request: RequestInit & { duplex: "half" } = { method: "POST", body, duplex: "half" };
  const answer = await fetch(`${origin}/v1/size`, request);
  expect(await answer.text()).toBe("67108864");
});

test("answers before the body is read without cutting the connection", async () => {
  const head = `POST /v1/refuse HTTP/1.1\r\nHost: a\r\nContent-Length: ${4 * 1024 * 1024}\r\n\r\n`;
  const answer = await sendRaw(
    `${head}${"x".repeat(4 * 1024 * 1024)}GET /v1/other HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
  );
  expect(answer).toMatch(/^HTTP\/1\.1 413 Payload Too Large\r\n/);
  expect(answer).toContain("too large");
  expect(answer).toMatch(/HTTP\/1\.1 200 OK[\s\S]*handler$/);
});

test("lets the answer arrive though it closes the connection before the body was read", async () => {
  const bodies = {
    "content-length: 12000000": "x".repeat(12_000_000),
    "transfer-encoding: chunked": `${`10000\r\n${"x".repeat(65_536)}\r\n`.repeat(180)}0\r\n\r\n`,
  };
  for (const [framing, body] of Object.entries(bodies)) {
    for (let nth = 0; nth < 3; nth++) {
      const answer = await sendThenRead(
        `POST /v1/refuse HTTP/1.1\r\nHost: a\r\n${framing}\r\nConnection: close\r\n\r\n${body}`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 413 Payload Too Large\r\n[\s\S]*too large$/);
    }
  }
});

test("delivers the refusal of bytes that are no request, whatever follows them", async () => {
  for (let nth = 0; nth < 3; nth++) {
    const answer = await sendThenRead(`NONSENSE\r\n\r\n${"x".repeat(12_000_000)}`);
    expect(bodyOf(answer).error.code).toBe("invalid_request");
  }
});

test("answers pipelined requests in their order, the refusal of a faulty one last", async () => {
  const slow = "GET /v1/slow HTTP/1.1\r\nHost: a\r\n";
  const faulty = await sendRaw(`${slow}\r\n${slow}\r\nNONSENSE\r\n\r\n`);
  expect(faulty.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 200", "HTTP/1.1 400"]);
  const closed = await sendRaw(`${slow}Connection: close\r\n\r\n${slow}\r\n`);
  expect(closed.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200"]);
});

test("serves others beside two thousand silent connections, slow headers and stalled bodies, and ends those", async () => {
  const hurried = createHttpServer({
    baseUrl: "https://platform.example",
    handlers: { "/v1": handler },
    patience: { headers: 5000, body: 2500, answer: 60_000 },
  });
  const hurriedPort = await hurried.listen(0, "127.0.0.1");
  const open = (text: string) => {
    const socket = connect(hurriedPort, "127.0.0.1", () => socket.write(text));
    let received = "";
    socket.on("data", (data) => {
      received += data;
    });
    socket.on("error", () => undefined);
    return new Promise<string>((done) => socket.once("close", () => done(received)));
  };
  const silent: Promise<string>[] = [];
  // The number of connections that a listening socket queues.
  for (let nth = 0; nth < 20; nth++) {
    silent.push(...Array.from({ length: 100 }, () => open("")));
    await sleep(10);
  }
  const slowHeaders = Array.from({ length: 50 }, () => open("GET /v1/other HTTP/1.1\r\nHost: a\r\nX-Slow: "));
  const stalled = ["echo", "size"].map((name) =>
    open(`POST /v1/${name} HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhi`),
  );
  const answer = await fetch(`http://127.0.0.1:${hurriedPort}/v1/other`);
  expect(await answer.text()).toBe("handler");
  // A client may use such a connection in this moment, and would take a response for that to its request.
  expect(new Set(await Promise.all(silent))).toEqual(new Set([""]));
  for (const received of await Promise.all(slowHeaders))
    expect(bodyOf(received).error.message).toBe("The request was not sent in time; send it again in one go.");
  for (const received of await Promise.all(stalled)) expect(received).toMatch(/^HTTP\/1\.1 500 /);
  await hurried.close(1000);
});

test("disconnects a client that reads nothing of a streamed answer, and stops its source", async () => {
  const { promise: cancelled, resolve } = Promise.withResolvers<void>();
  const chunk = new Uint8Array(1024 * 1024);
  const hurried = createHttpServer({
    baseUrl: "https://platform.example",
    handlers: {
      "/v1": async () =>
        reply(new ReadableStream({ pull: (stream) => stream.enqueue(chunk), cancel: () => resolve() })),
    },
    patience: { headers: 5000, body: 5000, answer: 300 },
  });
  const socket = connect(await hurried.listen(0, "127.0.0.1"), "127.0.0.1");
  socket.on("error", () => undefined).write("GET /v1/endless HTTP/1.1\r\nHost: a\r\n\r\n");
  await cancelled;
  socket.destroy();
  await hurried.close(1000);
});

test("disconnects a client that keeps sending an unwanted body", async () => {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  const closed = new Promise((done) => socket.once("close", done));
  socket.write("POST /v1/refuse HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000\r\n\r\n");
  const filler = Buffer.alloc(1024 * 1024);
  const more = () => socket.write(filler) && setImmediate(more);
  socket.on("drain", more);
  more();
  await closed;
  expect(socket.bytesWritten).toBeLessThan(200_000_000);
});

test("invites a body only when the handler reads it", async () => {
  const head = "Host: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n";
  expect(await sendRaw(`POST /v1/refuse HTTP/1.1\r\n${head}`, "hi")).toMatch(/^HTTP\/1\.1 413 /);
  expect(await sendRaw(`POST /v1/size HTTP/1.1\r\n${head}`, "hi")).toMatch(
    /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n[\s\S]*2$/,
  );
});

test("aborts the request's signal when the client leaves", async () => {
  const controller = new AbortController();
  const answer = await fetch(`${origin}/v1/events`, { signal: controller.signal });
  const chunk = await answer.body?.getReader().read();
  expect(new TextDecoder().decode(chunk?.value)).toBe("data: 1\n\n");
  controller.abort();
  await seen.aborted;
  expect(seen.request?.signal.aborted).toBe(true);
});

test("finishes requests under way, ends streams, and closes", async () => {
  const other = createHttpServer({ baseUrl: "https://platform.example", handlers: { "/v1": handler } });
  const url = `http://127.0.0.1:${await other.listen(0, "127.0.0.1")}`;
  const events = await fetch(`${url}/v1/events`);
  const slow = fetch(`${url}/v1/slow`);
  await expect.poll(() => seen.request?.url).toContain("/v1/slow");
  // A stream that it did not end would outlast this test.
  await other.close(600_000);
  expect(await (await slow).text()).toBe("done");
  expect(await events.text()).toBe("data: 1\n\n");
  await expect(fetch(`${url}/v1/other`)).rejects.toThrow("fetch failed");
});
