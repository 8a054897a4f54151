import { PlatformError } from "./errors.ts";

/** The content to upload: a file's path, a Blob, bytes, or a stream with its `size` given separately. */
export type Source = string | Blob | Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** A body with its length and, if known in advance, its SHA-256. */
export interface Upload {
  body: BodyInit;
  size: number;
  sha256: string | undefined;
  /** True if the body can be sent only once. */
  once: boolean;
  /** Returns the SHA-256 of the sent bytes, for streams. */
  sent?: () => string;
}

/** Opens the content to upload. */
export async function openSource(source: Source, size: number | undefined): Promise<Upload> {
  const { createHash } = await import("node:crypto");
  if (typeof source === "string") {
    const { openAsBlob } = await import("node:fs");
    return openSource(await openAsBlob(source), size);
  }
  if (source instanceof Uint8Array) return openSource(new Blob([source as Uint8Array<ArrayBuffer>]), size);
  const hash = createHash("sha256");
  if (source instanceof Blob) {
    for await (const chunk of source.stream()) hash.update(chunk);
    return { body: source, size: source.size, sha256: hash.digest("hex"), once: false };
  }
  if (size === undefined) throw new PlatformError("A stream needs its `size` in bytes beside it.");
  const hashed = hashing(source, (chunk) => hash.update(chunk))[Symbol.asyncIterator]();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await hashed.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => void (await hashed.return?.(undefined)),
  });
  return { body, size, sha256: undefined, once: true, sent: () => hash.digest("hex") };
}

async function* hashing(
  source: AsyncIterable<Uint8Array>,
  update: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    update(chunk);
    yield chunk;
  }
}
