import { createSocket } from "node:dgram";
import dns from "node:dns/promises";
import { createServer, type RequestListener } from "node:http";
import type { Server } from "node:net";
import { createServer as createTcpServer } from "node:net";
import { afterAll, expect, test } from "vitest";
import { portOf } from "#server/boot/processes.ts";
import { asResponse, safeFetch } from "./safe-fetch.ts";

const closing: (() => unknown)[] = [];
afterAll(() => Promise.all(closing.map((close) => close())));

async function listen(server: Server, host = "127.0.0.1"): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  closing.push(() => server.close());
  return portOf(server);
}

const serve = async (listener: RequestListener) =>
  `http://127.0.0.1:${await listen(createServer(listener))}/`;

/** Starts a name server that resolves every name to this IPv4 address. */
async function startNameServer(address: string) {
  const socket = createSocket("udp4");
  socket.on("message", (question, from) => {
    const header = Buffer.from(question.subarray(0, 12));
    header.writeUInt16BE(0x8180, 2);
    const end = question.indexOf(0, 12) + 5;
    const type = question.readUInt16BE(end - 4);
    const record = type === 1 ? 1 : 0;
    header.writeUInt16BE(record, 6);
    header.writeUInt32BE(0, 8);
    const answer = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split(".").map(Number)]);
    socket.send(
      Buffer.concat([header, question.subarray(12, end), record ? answer : Buffer.alloc(0)]),
      from.port,
      from.address,
    );
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  const before = dns.getServers();
  dns.setServers([`127.0.0.1:${socket.address().port}`]);
  closing.push(() => {
    dns.setServers(before);
    socket.close();
  });
}

test.each([
  "http://127.0.0.1/",
  "http://2130706433/",
  "http://0x7f.1/",
  "http://localhost/",
  "http://api.localhost/",
  "http://0.0.0.0/",
  "http://10.1.2.3/",
  "http://172.16.0.1/",
  "http://192.168.1.1/",
  "http://100.64.0.1/",
  "http://169.254.169.254/latest/meta-data/",
  "http://168.63.129.16/",
  "http://192.0.0.192/",
  "http://224.0.0.1/",
  "http://255.255.255.255/",
  "http://[::1]/",
  "http://[::]/",
  "http://[::ffff:127.0.0.1]/",
  "http://[::127.0.0.1]/",
  "http://[64:ff9b::7f00:1]/",
  "http://[64:ff9b:1::7f00:1]/",
  "http://[2002:7f00:1::]/",
  "http://[2001:0:1::1]/",
  "http://[fd00:ec2::254]/",
  "http://[fe80::1]/",
  "http://[fec0::1]/",
  "http://[ff02::1]/",
  "ftp://example.com/",
  "http://user:secret@example.com/",
])("refuses %s", async (url) => {
  await expect(safeFetch(url)).rejects.toMatchObject({ reason: "address_refused", maybeSent: false });
});

test.each(["http://10.0.0.1/", "http://[::ffff:127.0.0.1]/", "http://0.0.0.0/"])(
  "refuses %s where loopback is allowed too",
  async (url) => {
    await expect(safeFetch(url, { allowLoopback: true })).rejects.toMatchObject({
      reason: "address_refused",
    });
  },
);

test("refuses a public name that resolves to a private address", async () => {
  await startNameServer("10.0.0.7");
  await expect(safeFetch("http://internal.example.com/", { allowLoopback: true })).rejects.toMatchObject({
    reason: "address_refused",
    message: "internal.example.com resolves to 10.0.0.7, which is not a public address.",
  });
});

test("sends method, headers and body, and reads the answer", async () => {
  const url = await serve(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    response.writeHead(201, { "x-one": ["a", "b"] });
    response.end(`${request.method} ${request.headers["x-own"]} ${Buffer.concat(chunks)}`);
  });
  const options = { method: "POST", headers: { "x-own": "1" }, body: "hello", allowLoopback: true } as const;
  const answer = await safeFetch(url, options);
  expect(answer).toMatchObject({ status: 201, headers: { "x-one": "a, b" } });
  expect(await answer.text()).toBe("POST 1 hello");
  const response = asResponse(await safeFetch(url, options));
  expect([response.status, await response.text()]).toEqual([201, "POST 1 hello"]);
});

test("reaches localhost by its name where loopback is allowed", async () => {
  const url = await serve((_, response) => response.end("here"));
  const answer = await safeFetch(url.replace("127.0.0.1", "localhost"), { allowLoopback: true });
  expect(await answer.text()).toBe("here");
});

test("does not use a connection to this machine for a call that may not reach it", async () => {
  const url = (await serve((_, response) => response.end())).replace("127.0.0.1", "localhost");
  await (await safeFetch(url, { allowLoopback: true })).bytes();
  await expect(safeFetch(url)).rejects.toMatchObject({ reason: "address_refused" });
});

test("answers a redirect as it is", async () => {
  const url = await serve((_, response) => response.writeHead(302, { location: "http://10.0.0.1/" }).end());
  expect(await safeFetch(url, { allowLoopback: true })).toMatchObject({
    status: 302,
    headers: { location: "http://10.0.0.1/" },
  });
});

test("ends an answer that is too large, and one that is too late", async () => {
  const large = await serve((_, response) => response.end(Buffer.alloc(10 * 1024 * 1024)));
  const answer = await safeFetch(large, { allowLoopback: true, maximumBytes: 1024 });
  await expect(answer.bytes()).rejects.toMatchObject({ reason: "too_large" });
  const start = await (await safeFetch(large, { allowLoopback: true })).start(100);
  expect(start).toHaveLength(100);
  const silent = await serve(() => undefined);
  await expect(safeFetch(silent, { allowLoopback: true, timeoutMs: 2000 })).rejects.toMatchObject({
    reason: "timeout",
    maybeSent: true,
  });
  const slow = await serve((_, response) => void response.write("half"));
  const half = await safeFetch(slow, { allowLoopback: true, timeoutMs: 2000 });
  await expect(half.bytes()).rejects.toMatchObject({ reason: "timeout" });
  await expect(
    safeFetch(large, { allowLoopback: true, method: "POST", body: "12345", maximumRequestBytes: 4 }),
  ).rejects.toMatchObject({ reason: "too_large" });
});

test("distinguishes an unreachable peer from one that hung up", async () => {
  const resetting = createTcpServer((socket) => socket.on("data", () => socket.resetAndDestroy()));
  const url = `http://127.0.0.1:${await listen(resetting)}/`;
  await expect(safeFetch(url, { allowLoopback: true })).rejects.toMatchObject({
    reason: "connection_lost",
    maybeSent: true,
  });
  const gone = createTcpServer();
  const port = await listen(gone);
  await new Promise((resolve) => gone.close(resolve));
  await expect(safeFetch(`http://127.0.0.1:${port}/`, { allowLoopback: true })).rejects.toMatchObject({
    reason: "connection_failed",
    maybeSent: false,
  });
});

test("stops when its caller does", async () => {
  const url = await serve(() => undefined);
  const aborter = new AbortController();
  const sent = safeFetch(url, { allowLoopback: true, signal: aborter.signal });
  setTimeout(() => aborter.abort(), 50);
  await expect(sent).rejects.toMatchObject({ reason: "aborted" });
});
