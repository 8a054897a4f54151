import { type Client, type Received, type Request, sleep } from "./client.ts";
import { ConnectionError, PlatformError } from "./errors.ts";

/** Bytes to read, verified by their SHA-256. If a connection breaks, reading continues by `Range`. */
export interface Download extends AsyncIterable<Uint8Array> {
  /** Writes a file that appears only when it is complete; `onProgress` gets the number of written bytes. */
  toFile(
    path: string,
    options?: { onProgress?: (bytes: number) => void },
  ): Promise<{ size: number; sha256: string }>;
  bytes(): Promise<Uint8Array>;
  text(): Promise<string>;
  stream(): ReadableStream<Uint8Array>;
}

const MAX_FRUITLESS = 5;

export function downloadOf(client: Client, request: Request, idleMs: number): Download {
  /** Yields all bytes; `ended` gets their verified checksum. */
  async function* read(ended?: (sha256: string) => void): AsyncGenerator<Uint8Array> {
    const { createHash } = await import("node:crypto");
    const hash = createHash("sha256");
    let read = 0;
    let expected: string | null = null;
    let etag: string | null = null;
    for (let fruitless = 0; ; ) {
      const before = read;
      const { response } = await open(read, etag);
      expected ??= response.headers.get("x-content-sha256");
      etag ??= response.headers.get("etag");
      const partial = response.status === 206;
      if (read > 0 && !partial) throw new ConnectionError("What is downloaded has changed meanwhile.");
      const length = Number(response.headers.get("content-length") ?? Number.NaN);
      try {
        for await (const chunk of chunksOf(response, idleMs, request.options.signal)) {
          hash.update(chunk);
          read += chunk.byteLength;
          yield chunk;
        }
        if (Number.isNaN(length) || read - before === length) break;
      } catch (cause) {
        request.options.signal?.throwIfAborted();
        fruitless = read > before ? 0 : fruitless + 1;
        if (etag === null || fruitless >= MAX_FRUITLESS)
          throw new ConnectionError("The download broke off.", { cause });
      }
      await sleep(250, request.options.signal);
    }
    const sha256 = hash.digest("hex");
    if (expected !== null && expected !== sha256)
      throw new PlatformError(`What arrived has the SHA-256 ${sha256}; it should be ${expected}.`);
    ended?.(sha256);
  }

  function open(from: number, etag: string | null): Promise<Received> {
    if (from === 0) return client.send(request);
    const headers = { ...request.headers, range: `bytes=${from}-`, ...(etag && { "if-range": etag }) };
    return client.send({ ...request, headers });
  }

  return {
    [Symbol.asyncIterator]: () => read(),
    async toFile(path, { onProgress } = {}) {
      const { open: openFile, rename, rm } = await import("node:fs/promises");
      const part = `${path}.${crypto.randomUUID()}.part`;
      const file = await openFile(part, "wx");
      try {
        let size = 0;
        let sha256 = "";
        for await (const chunk of read((sum) => {
          sha256 = sum;
        })) {
          await file.writeFile(chunk);
          size += chunk.byteLength;
          onProgress?.(size);
        }
        await file.sync();
        await file.close();
        await rename(part, path);
        return { size, sha256 };
      } catch (error) {
        await file.close();
        await rm(part, { force: true });
        throw error;
      }
    },
    async bytes() {
      const chunks: Uint8Array<ArrayBuffer>[] = [];
      for await (const chunk of read()) chunks.push(chunk as Uint8Array<ArrayBuffer>);
      return new Uint8Array(await new Blob(chunks).arrayBuffer());
    },
    async text() {
      return new TextDecoder().decode(await this.bytes());
    },
    stream() {
      const chunks = read();
      return new ReadableStream<Uint8Array>({
        async pull(controller) {
          const { done, value } = await chunks.next();
          if (done) controller.close();
          else controller.enqueue(value);
        },
        cancel: async () => void (await chunks.return(undefined)),
      });
    },
  };
}

/** Yields the body's chunks; fails if the body is silent for too long. */
export async function* chunksOf(
  { body }: Response,
  idleMs: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const reader = (body as ReadableStream<Uint8Array> | null)?.getReader();
  if (!reader) return;
  const stop = () => void reader.cancel(signal?.reason).catch(() => {});
  signal?.addEventListener("abort", stop, { once: true });
  try {
    for (;;) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const silent = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new ConnectionError(`Nothing came for ${idleMs} ms.`)), idleMs);
      });
      const { done, value } = await Promise.race([reader.read(), silent]).finally(() => clearTimeout(timer));
      signal?.throwIfAborted();
      if (done) return;
      yield value;
    }
  } finally {
    signal?.removeEventListener("abort", stop);
    await reader.cancel().catch(() => {});
  }
}
