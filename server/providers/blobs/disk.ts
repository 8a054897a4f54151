import { access, mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { codeOf } from "#server/base/thrown.ts";
import type { BlobStore, ByteRange } from "./blob-store.ts";
import { type BoundedFile, openBounded } from "./bounded-file.ts";
import { createFileCalls } from "./file-calls.ts";
import { measure } from "./measure.ts";
import { BlobMissing, BlobStoreUnavailable } from "./unavailable.ts";

const TITLE = "The platform's blob store (the folder blobs in DATA_DIR)";
/** No space, no quota, or the process's file size limit. */
const FULL = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);
const CHUNK = 256 * 1024;
/** Flushing takes time: a second is allowed for each megabyte. */
const SYNCED_BYTES_PER_MS = 1000;
const SYNC_MS = 2500;
/** The bytes that a check writes: only writing detects a full disk. */
const PROBE = new Uint8Array(64 * 1024);
const KEY = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Stores blobs as files below `folder`; each is complete and synced before it gets its name. A folder that hangs, as on
 * a network, is unavailable, and occupies no more than its share of the process's threads.
 */
export function openDiskStore(folder: string): BlobStore {
  const calls = createFileCalls(() => stat(folder));
  let made: Promise<unknown> | undefined;

  /** Creates the folder once. If it disappears later it is not recreated: a volume may belong there. */
  async function ready() {
    made ??= calls.call(() => mkdir(folder, { recursive: true, mode: 0o700 }));
    await made.catch((reason) => {
      made = undefined;
      throw reason;
    });
  }

  /** Keys begin with their time, so their last characters distribute the files. */
  function fileOf(key: string): string {
    if (!KEY.test(key)) throw new TypeError("Not a key of this store.");
    return join(folder, key.slice(-2), key);
  }

  return {
    title: TITLE,

    async put(key, content) {
      const file = fileOf(key);
      const draft = `${file}.part`;
      const measured = measure(content);
      let open: BoundedFile | undefined;
      try {
        await ready();
        await calls.call(() => mkdir(dirname(file), { mode: 0o700 }).catch(unlessExists));
        open = await openBounded(calls, draft, "wx", () => rm(draft, { force: true }));
        const bytes = await write(open, measured.chunks);
        await open.use((handle) => handle.sync(), SYNC_MS + bytes / SYNCED_BYTES_PER_MS);
        await open.close();
        await calls.call(() => rename(draft, file), {
          undo: () => calls.later(() => rm(file, { force: true })),
        });
        await sync(dirname(file));
      } catch (reason) {
        open?.abandon();
        await calls.call(() => rm(draft, { force: true })).catch(() => undefined);
        throw measured.broken()?.reason ?? unavailable(reason);
      }
      return { key, ...measured.result() };
    },

    async read(key, range) {
      const path = fileOf(key);
      try {
        const file = await openBounded(calls, path, "r");
        return await streamOf(file, range ?? { start: 0, end: Number.MAX_SAFE_INTEGER });
      } catch (reason) {
        throw (await isMissing(reason))
          ? new BlobMissing(`${TITLE} is not available.`, reason)
          : unavailable(reason);
      }
    },

    async delete(key) {
      const file = fileOf(key);
      try {
        await calls.call(() => access(folder));
        for (const path of [file, `${file}.part`]) await calls.call(() => rm(path, { force: true }));
      } catch (reason) {
        throw unavailable(reason);
      }
    },

    async check() {
      const probe = join(folder, `probe-${process.pid}`);
      try {
        await ready();
        await calls.call(() => writeFile(probe, PROBE, { mode: 0o600 }));
      } catch (reason) {
        throw unavailable(reason);
      } finally {
        await calls.call(() => rm(probe, { force: true })).catch(() => undefined);
      }
    },
  };

  /** Makes a file's new name durable. */
  async function sync(path: string) {
    const opened = await openBounded(calls, path, "r");
    await opened.use((handle) => handle.sync()).finally(() => opened.abandon());
  }

  /** True if the file is missing but the folder exists. */
  async function isMissing(reason: unknown): Promise<boolean> {
    if (codeOf(reason) !== "ENOENT") return false;
    return calls
      .call(() => access(folder))
      .then(
        () => true,
        () => false,
      );
  }

  function unavailable(cause: unknown) {
    const full = FULL.has(codeOf(cause) ?? "");
    const state = full ? "has no room left on its disk" : "is not available";
    return new BlobStoreUnavailable(`${TITLE} ${state}.`, cause);
  }
}

function unlessExists(reason: NodeJS.ErrnoException) {
  if (reason.code !== "EEXIST") throw reason;
}

/** Writes each piece while the next one arrives; returns the size. */
async function write(file: BoundedFile, content: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  let writing: Promise<unknown> = Promise.resolve();
  for await (const piece of gathered(content)) {
    await writing;
    writing = file.use((handle) => handle.writeFile(piece));
    // Its failure is noticed with the next piece, which may take long to arrive.
    writing.catch(() => undefined);
    bytes += piece.byteLength;
  }
  await writing;
  return bytes;
}

/** Joins small chunks, so that each call writes much, and splits large ones, so that none takes long. */
async function* gathered(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks)
    for (let start = 0; start < chunk.byteLength; start += CHUNK) {
      const part = chunk.subarray(start, start + CHUNK);
      pieces.push(part);
      bytes += part.byteLength;
      if (bytes < CHUNK) continue;
      yield pieces.length === 1 ? part : Buffer.concat(pieces);
      pieces = [];
      bytes = 0;
    }
  if (bytes > 0) yield Buffer.concat(pieces);
}

/**
 * Streams a part of a file. Its first bytes are read before this returns, so that a hanging file fails before the
 * response begins.
 */
async function streamOf(file: BoundedFile, { start, end }: ByteRange): Promise<ReadableStream<Uint8Array>> {
  let position = start;

  /** Reads the next bytes; none at the end. */
  async function next(): Promise<Uint8Array> {
    try {
      const length = Math.min(CHUNK, end - position + 1);
      if (length <= 0) return new Uint8Array();
      const { bytesRead, buffer } = await file.use((handle) =>
        handle.read(Buffer.allocUnsafe(length), 0, length, position),
      );
      position += bytesRead;
      return new Uint8Array(buffer.buffer, buffer.byteOffset, bytesRead);
    } catch (reason) {
      file.abandon();
      throw reason;
    }
  }

  let ahead: Uint8Array | undefined = await next();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const bytes = ahead ?? (await next());
      ahead = undefined;
      if (bytes.byteLength > 0) controller.enqueue(bytes);
      if (bytes.byteLength > 0 && position <= end) return;
      file.abandon();
      controller.close();
    },
    cancel: () => file.abandon(),
  });
}
