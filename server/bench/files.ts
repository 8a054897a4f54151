import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type RequestOptions, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { openDatabase } from "../../db/client.ts";
import { defined } from "../base/defined.ts";
import { createKey } from "./create-key.ts";
import { postTo } from "./post-to.ts";
import { median } from "./report.ts";

// Uploads and downloads a file of 1 GB, beside a plain server that hashes, writes and syncs: `node files.ts
// DATABASE_URL` prints the seconds, medians of alternating rounds, and how many MB the platform's memory has grown.
const databaseUrl = defined(process.argv[2]);
const SIZE = 1024 ** 3;
const ROUNDS = 3;
const chunk = Buffer.alloc(65_536, "0123456789abcdef");
const folder = mkdtempSync(join(tmpdir(), "bench-files-"));
const children: ChildProcess[] = [];

async function start(script: string, ...args: string[]) {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  const [port] = await once(createInterface(child.stdout), "line");
  return { port: Number(port), pid: defined(child.pid) };
}

async function makeKey(port: number) {
  const { db, close } = openDatabase(databaseUrl, { handlers: 1 });
  const { headers } = await createKey(db, postTo(port), ["files:read", "files:write"]);
  await close();
  return headers;
}

async function timed<Result>(work: () => Promise<Result>) {
  const started = performance.now();
  const result = await work();
  return { result, seconds: (performance.now() - started) / 1000 };
}

function upload(options: RequestOptions) {
  return timed(async () => {
    const sent = request({ host: "127.0.0.1", method: "POST", ...options });
    const answered = once(sent, "response");
    await pipeline(Readable.from(Array(SIZE / chunk.length).fill(chunk)), sent);
    return text((await answered)[0]);
  });
}

function download(options: RequestOptions) {
  return timed(async () => {
    const sent = request({ host: "127.0.0.1", ...options }).end();
    const [response] = await once(sent, "response");
    let size = 0;
    for await (const part of response) size += part.length;
    if (size !== SIZE) throw new Error(`${size} bytes came back.`);
  });
}

const memoryOf = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
try {
  const ours = await start("../testing/processes/api-server.ts", databaseUrl, join(folder, "blobs"));
  const plain = await start("plain-files.ts", folder);
  const { authorization } = await makeKey(ours.port);
  const before = memoryOf(ours.pid);
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, memoryOf(ours.pid));
  }, 20);
  const seconds = { plainUpload: [], upload: [], plainDownload: [], download: [] } as Record<
    string,
    number[]
  >;
  for (let round = 0; round < ROUNDS; round++) {
    const described = { authorization, "x-file-name": "bench", "idempotency-key": `bench-files-${round}` };
    const length = { "content-length": SIZE };
    seconds.plainUpload?.push((await upload({ port: plain.port, headers: length })).seconds);
    const sent = await upload({ port: ours.port, path: "/v1/files", headers: { ...length, ...described } });
    seconds.upload?.push(sent.seconds);
    const { id } = JSON.parse(sent.result).file;
    seconds.plainDownload?.push((await download({ port: plain.port })).seconds);
    const headers = { authorization, accept: "application/octet-stream" };
    seconds.download?.push((await download({ port: ours.port, path: `/v1/files/${id}`, headers })).seconds);
  }
  clearInterval(watch);
  const medians = Object.fromEntries(Object.entries(seconds).map(([name, all]) => [name, median(all)]));
  console.log(JSON.stringify({ ...medians, grownMb: Math.round(most - before) }));
} finally {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
}
