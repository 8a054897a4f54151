import { createSocket } from "node:dgram";
import dns from "node:dns/promises";
import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { releaseMemory } from "#server/boot/collect-garbage.ts";
import { startHostile, writeForEver } from "#server/testing/hostile-peer.ts";
import { asResponse, type SafeFetchOptions, safeFetch } from "./safe-fetch.ts";

const closing: (() => unknown)[] = [];
afterAll(() => Promise.all(closing.map((close) => close())));

const MB = 1024 * 1024;
const OK = "HTTP/1.1 200 OK\r\n";
const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`;
const limits: SafeFetchOptions = { allowLoopback: true, timeoutMs: 1000, maximumBytes: MB };

const whole = async (url: string, options: SafeFetchOptions = {}) => {
  const answer = await safeFetch(url, { ...limits, ...options });
  return { answer, text: await answer.text() };
};

/** A peer's behaviour, the reason why the request then ends, and the error's message. */
const HOSTILE: Record<string, [speak: (socket: Socket) => void, reason: string, message: RegExp]> = {
  "accepts and never answers": [() => undefined, "timeout", /^No whole answer within 1000 ms\.$/],
  "sends its headers byte by byte": [
    (socket) => {
      socket.write(OK);
      writeForEver(socket, "x", 20);
    },
    "timeout",
    /^No whole answer within 1000 ms\.$/,
  ],
  "sends a body byte by byte": [
    (socket) => {
      socket.write(`${OK}content-length: 1000000\r\n\r\n`);
      writeForEver(socket, "x", 20);
    },
    "timeout",
    /^No whole answer within 1000 ms\.$/,
  ],
  "never ends its answer": [
    (socket) => {
      socket.write(`${OK}\r\n`);
      writeForEver(socket, Buffer.alloc(64 * 1024));
    },
    "too_large",
    /^The answer has more than 1048576 bytes\.$/,
  ],
  "never ends its chunks": [
    (socket) => {
      socket.write(CHUNKED);
      writeForEver(socket, `400\r\n${"x".repeat(1024)}\r\n`.repeat(20));
    },
    "too_large",
    /^The answer has more than 1048576 bytes\.$/,
  ],
  "sends 100,000 headers": [
    (socket) => socket.write(`${OK}${"x-a: b\r\n".repeat(100_000)}\r\n`),
    "too_large",
    /^The headers of 127\.0\.0\.1:\d+ have more than 16 KB\.$/,
  ],
  "sends headers for ever": [
    (socket) => {
      socket.write(OK);
      writeForEver(socket, "x-a: b\r\n".repeat(1000));
    },
    "too_large",
    /^The headers of 127\.0\.0\.1:\d+ have more than 16 KB\.$/,
  ],
  "sends trailers for ever": [
    (socket) => {
      socket.write(`${CHUNKED}0\r\n`);
      writeForEver(socket, "x-a: b\r\n".repeat(1000));
    },
    "too_large",
    /^The headers of 127\.0\.0\.1:\d+ have more than 16 KB\.$/,
  ],
  "sends 103 for ever": [
    (socket) => writeForEver(socket, "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(100)),
    "invalid_answer",
    /^127\.0\.0\.1:\d+ sends no end of 1xx answers\.$/,
  ],
  "switches protocols": [
    (socket) => socket.write("HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"),
    "invalid_answer",
    /^127\.0\.0\.1:\d+ answers no valid HTTP \(.+\)\.$/,
  ],
  "speaks another protocol": [
    (socket) => socket.write("SSH-2.0-OpenSSH_9.2\r\n"),
    "invalid_answer",
    /^127\.0\.0\.1:\d+ answers no valid HTTP \(.+\)\.$/,
  ],
  "sends chunks of no size": [
    (socket) => socket.write(`${CHUNKED}zz\r\nhello\r\n`),
    "invalid_answer",
    /^127\.0\.0\.1:\d+ answers no valid HTTP \(.+\)\.$/,
  ],
  "tells two lengths": [
    (socket) => socket.write(`${OK}content-length: 1\r\ncontent-length: 2\r\n\r\nab`),
    "invalid_answer",
    /^127\.0\.0\.1:\d+ answers no valid HTTP \(.+\)\.$/,
  ],
  "answers a status beyond 599": [
    (socket) => socket.write("HTTP/1.1 999 Nope\r\ncontent-length: 0\r\n\r\n"),
    "invalid_answer",
    /^127\.0\.0\.1:\d+ answers the status 999, which HTTP has not\.$/,
  ],
  "hangs up amid its body": [
    (socket) => socket.end(`${OK}content-length: 10\r\n\r\nhalf`),
    "connection_lost",
    /^The connection to 127\.0\.0\.1:\d+ was lost \(.+\)\.$/,
  ],
};

describe.for(Object.entries(HOSTILE))("a peer that %s", ([, [speak, reason, message]]) => {
  test("ends the request within its limits, and says why", async () => {
    const peer = await startHostile(speak);
    // A busy machine may take a second to reach another limit.
    const timeoutMs = reason === "timeout" ? 1000 : 60_000;
    const failed = await whole(peer.url, { timeoutMs }).catch((error) => error);
    expect(failed).toMatchObject({ name: "OutboundError", reason, maybeSent: true });
    expect(failed.message).toMatch(message);
    await expect.poll(peer.connections).toBe(0);
  });
});

test("an answer that nobody reads fills no memory: its sender waits", async () => {
  const peer = await startHostile((socket) => {
    socket.write(`${OK}\r\n`);
    writeForEver(socket, Buffer.alloc(64 * 1024));
  });
  await safeFetch(peer.url, { ...limits, maximumBytes: 1000 * MB });
  await new Promise((resolve) => setTimeout(resolve, 500));
  // The buffers of the two sockets, and the bytes that wait for their reader.
  expect(peer.sent()).toBeLessThan(32 * MB);
  await expect.poll(peer.connections).toBe(0);
});

test("an answer of many megabytes arrives whole, by each of its readers", async () => {
  const bytes = Buffer.alloc(9 * MB, "0123456789");
  const peer = await startHostile((socket) => {
    socket.write(`${OK}content-length: ${bytes.length}\r\n\r\n`);
    socket.write(bytes);
  });
  const options = { ...limits, timeoutMs: 20_000, maximumBytes: bytes.length };
  expect(Buffer.from(await (await safeFetch(peer.url, options)).bytes()).equals(bytes)).toBe(true);
  const streamed = Buffer.from(await asResponse(await safeFetch(peer.url, options)).arrayBuffer());
  expect(streamed.equals(bytes)).toBe(true);
  expect((await (await safeFetch(peer.url, options)).start(MB)).length).toBe(MB);
});

test("a response sent byte by byte takes little more memory than its bytes, and arrives in order", async () => {
  const chunks = Buffer.from("1\r\n0\r\n1\r\n1\r\n".repeat(200_000));
  const peer = await startHostile((socket) => {
    socket.write(CHUNKED);
    socket.write(chunks);
    socket.write("0\r\n\r\n");
  });
  releaseMemory();
  const before = process.memoryUsage().heapUsed;
  const answer = await safeFetch(peer.url, { ...limits, timeoutMs: 20_000 });
  const text = await answer.text();
  expect(text).toBe("01".repeat(200_000));
  // Temporary memory may be freed; only the memory that the response still holds counts.
  releaseMemory();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(20 * MB);
  let streamed = "";
  const stream = (await safeFetch(peer.url, { ...limits, timeoutMs: 20_000 })).body;
  for await (const part of stream) streamed += Buffer.from(part);
  expect(streamed).toBe(text);
});

test("a compressed answer is never unpacked", async () => {
  const bomb = gzipSync(Buffer.alloc(50 * MB));
  const peer = await startHostile((socket) => {
    socket.write(`${OK}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`);
    socket.write(bomb);
  });
  const bytes = await (await safeFetch(peer.url, limits)).bytes();
  expect(bytes.length).toBe(bomb.length);
  expect((await asResponse(await safeFetch(peer.url, limits)).arrayBuffer()).byteLength).toBe(bomb.length);
});

test.for(["http://10.0.0.1/", "http://169.254.169.254/latest/meta-data/", "/again"])(
  "a redirect to %s is answered, and never followed",
  async (location) => {
    const peer = await startHostile((socket) =>
      socket.write(`HTTP/1.1 302 Found\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`),
    );
    const { answer } = await whole(peer.url);
    expect(answer).toMatchObject({ status: 302, headers: { location } });
    expect(peer.requests()).toBe(1);
  },
);

test("an answer for more than one request, or with a body that it may not have, reaches no other request", async () => {
  const answer = (text: string) => `${OK}content-length: ${text.length}\r\n\r\n${text}`;
  const peer = await startHostile((socket, request, nth) => {
    if (request.startsWith("HEAD")) socket.write(`${OK}content-length: 6\r\n\r\nforged`);
    else socket.write(nth === 1 ? answer("first") + answer("forged") : answer(`own ${nth}`));
  });
  expect((await whole(peer.url)).text).toBe("first");
  const second = await whole(peer.url).catch((error) => ({ text: error.reason }));
  expect(["own 2", "connection_lost"]).toContain(second.text);
  const head = await whole(peer.url, { method: "HEAD" }).catch((error) => ({ text: error.reason }));
  expect(["", "connection_lost", "invalid_answer"]).toContain(head.text);
  const last = await whole(peer.url).catch((error) => ({ text: error.reason }));
  expect(last.text).not.toContain("forged");
});

test("header values of any bytes can be handed on", async () => {
  const peer = await startHostile((socket) => {
    socket.write(`${OK}x-odd: `);
    socket.write(Buffer.from([0xe2, 0x82, 0xac, 0xff, 0x80]));
    socket.write("\r\n__proto__: x\r\nset-cookie: a\r\nset-cookie: b\r\ncontent-length: 2\r\n\r\nok");
  });
  const response = asResponse(await safeFetch(peer.url, limits));
  expect([response.status, await response.text()]).toEqual([200, "ok"]);
});

test("a name is checked again for each connection, because its address may change", async () => {
  const peer = await startHostile((socket) => socket.end(`${OK}connection: close\r\n\r\nhere`));
  const addresses = ["127.0.0.1", "10.0.0.7"];
  const socket = createSocket("udp4");
  socket.on("message", (question, from) => {
    const header = Buffer.from(question.subarray(0, 12));
    const end = question.indexOf(0, 12) + 5;
    const found = question.readUInt16BE(end - 4) === 1 ? addresses.shift() : undefined;
    header.writeUInt16BE(0x8180, 2);
    header.writeUInt16BE(found ? 1 : 0, 6);
    header.writeUInt32BE(0, 8);
    const record = Buffer.from([
      0xc0,
      12,
      0,
      1,
      0,
      1,
      0,
      0,
      0,
      0,
      0,
      4,
      ...(found ?? "").split(".").map(Number),
    ]);
    const parts = [header, question.subarray(12, end), found ? record : Buffer.alloc(0)];
    socket.send(Buffer.concat(parts), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  const before = dns.getServers();
  dns.setServers([`127.0.0.1:${socket.address().port}`]);
  closing.push(() => {
    dns.setServers(before);
    socket.close();
  });
  const url = `http://rebinding.example.com:${peer.port}/`;
  expect((await whole(url)).text).toBe("here");
  await expect(whole(url)).rejects.toMatchObject({
    reason: "address_refused",
    maybeSent: false,
    message: "rebinding.example.com resolves to 10.0.0.7, which is not a public address.",
  });
});
