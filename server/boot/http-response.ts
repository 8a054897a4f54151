import type { ServerResponse } from "node:http";
import { setImmediate } from "node:timers/promises";
import { readReply } from "../reply.ts";
import { countStreamed } from "./collect-garbage.ts";

type Chunk = ReadableStreamReadResult<Uint8Array>;

function headersOf({ headers }: Response, always: Record<string, string>) {
  const all: Record<string, string | string[]> = { ...always };
  for (const [name, value] of headers) if (name !== "set-cookie") all[name] = value;
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) all["set-cookie"] = cookies;
  return all;
}

/** Until the client has read what was written, or has left. Leaves no listener behind: a stream waits often. */
function drained(answer: ServerResponse) {
  return new Promise<void>((done) => {
    const settle = () => {
      answer.off("drain", settle).off("close", settle);
      done();
    };
    answer.on("drain", settle).on("close", settle);
  });
}

/** Writes one chunk, and waits where the client reads slower than we write. Answers whether it still listens. */
async function push(answer: ServerResponse, chunk: Uint8Array) {
  if (answer.destroyed) return false;
  countStreamed(chunk.byteLength);
  if (answer.write(chunk)) return true;
  await drained(answer);
  return !answer.destroyed;
}

async function stream(
  answer: ServerResponse,
  status: number,
  headers: Record<string, string | string[]>,
  body: ReadableStream<Uint8Array>,
) {
  const reader = body.getReader();
  const cancel = () => void reader.cancel().catch(() => undefined);
  answer.once("close", cancel);
  let next: Promise<Chunk> = reader.read();
  const first = await next;
  next = first.done ? next : reader.read();
  // A body that is all there has its length told; one that is still being made is sent as it comes.
  const second = first.done ? first : await Promise.race([next, setImmediate(undefined)]);
  if (second?.done) {
    const whole = first.value ?? new Uint8Array();
    headers["content-length"] ??= String(whole.byteLength);
    answer.writeHead(status, headers).end(whole);
    return;
  }
  // Set one by one, they can be read back: a stream of events is ended when the server closes.
  for (const [name, value] of Object.entries(headers)) answer.setHeader(name, value);
  answer.writeHead(status);
  let open = await push(answer, first.value as Uint8Array);
  for (let chunk = await next; open && !chunk.done; chunk = await reader.read())
    open = await push(answer, chunk.value);
  answer.end();
}

/** Writes a handler's Response to the connection, beneath the headers that every answer has. */
export async function writeAnswer(
  answer: ServerResponse,
  response: Response,
  always: Record<string, string>,
) {
  if (answer.destroyed) return void response.body?.cancel();
  const parts = readReply(response);
  if (parts) {
    const { status, headers, body } = parts;
    const bodiless = status === 204 || status === 304 || (body === null && answer.req.method === "HEAD");
    const length = typeof body === "string" ? Buffer.byteLength(body) : (body?.byteLength ?? 0);
    const all = { ...always, ...headers };
    answer.writeHead(status, bodiless ? all : { "content-length": length, ...all });
    answer.end(bodiless ? undefined : (body ?? undefined));
    return;
  }
  const headers = headersOf(response, always);
  if (response.body && answer.req.method !== "HEAD")
    return stream(answer, response.status, headers, response.body);
  void response.body?.cancel();
  if (!response.body && answer.req.method !== "HEAD" && response.status !== 204 && response.status !== 304)
    headers["content-length"] ??= "0";
  answer.writeHead(response.status, headers).end();
}
