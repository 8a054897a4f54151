import type { ServerResponse } from "node:http";
import { setImmediate } from "node:timers/promises";
import type { HttpResponse } from "../../base/http-message.ts";
import { countStreamed } from "../collect-garbage.ts";

type Chunk = ReadableStreamReadResult<Uint8Array>;

/** The bytes that are written at a time; a client that reads has read so many within its patience. */
const WRITTEN_BYTES = 64 * 1024;

/**
 * Waits until the client has read the written bytes or has disconnected; disconnects one that reads nothing. Removes its
 * listeners: a stream waits often.
 */
function drained(answer: ServerResponse, patienceMs: number) {
  return new Promise<void>((done) => {
    const settle = () => {
      clearTimeout(timer);
      answer.off("drain", settle).off("close", settle);
      done();
    };
    const timer = setTimeout(() => answer.destroy(), patienceMs);
    answer.on("drain", settle).on("close", settle);
  });
}

/** Writes one chunk, and waits if the client reads slower than we write. Returns true while the client is connected. */
async function push(answer: ServerResponse, chunk: Uint8Array, patienceMs: number) {
  countStreamed(chunk.byteLength);
  for (let at = 0; at < chunk.byteLength && !answer.destroyed; at += WRITTEN_BYTES)
    if (!answer.write(chunk.subarray(at, at + WRITTEN_BYTES))) await drained(answer, patienceMs);
  return !answer.destroyed;
}

async function stream(
  answer: ServerResponse,
  status: number,
  headers: Record<string, string | string[]>,
  body: ReadableStream<Uint8Array>,
  patienceMs: number,
) {
  const reader = body.getReader();
  const cancel = () => void reader.cancel().catch(() => undefined);
  answer.once("close", cancel);
  let next: Promise<Chunk> = reader.read();
  const first = await next;
  next = first.done ? next : reader.read();
  // A complete body is sent with its length; a stream is sent in chunks.
  const second = first.done ? first : await Promise.race([next, setImmediate(undefined)]);
  if (second?.done) {
    const whole = first.value ?? new Uint8Array();
    headers["content-length"] ??= String(whole.byteLength);
    answer.writeHead(status, headers).end(whole);
    return;
  }
  // Headers that are set one by one can be read back: a stream of events is ended when the server closes.
  for (const [name, value] of Object.entries(headers)) answer.setHeader(name, value);
  answer.writeHead(status);
  let open = await push(answer, first.value as Uint8Array, patienceMs);
  for (let chunk = await next; open && !chunk.done; chunk = await reader.read())
    open = await push(answer, chunk.value, patienceMs);
  answer.end();
}

/**
 * Writes a handler's response to the connection, with the headers that every response has. Disconnects a client that for
 * `patienceMs` reads nothing of a stream.
 */
export async function writeAnswer(
  answer: ServerResponse,
  { status, headers, body }: HttpResponse,
  { always, patienceMs }: { always: Record<string, string>; patienceMs: number },
) {
  const streamed = body instanceof ReadableStream;
  const head = answer.req.method === "HEAD";
  if (streamed && (answer.destroyed || head)) void body.cancel().catch(() => undefined);
  if (answer.destroyed) return;
  const all = { ...always, ...headers };
  if (streamed && !head) return stream(answer, status, all, body, patienceMs);
  const bodiless = status === 204 || status === 304 || (head && (streamed || body === null));
  if (streamed || bodiless) return void answer.writeHead(status, all).end();
  const length = typeof body === "string" ? Buffer.byteLength(body) : (body?.byteLength ?? 0);
  answer.writeHead(status, { "content-length": length, ...all }).end(body ?? undefined);
}
