import { access, mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { codeOf } from "#server/thrown.ts";
import type { BlobStore, ByteRange } from "./blob-store.ts";
import { type BoundedFile, openBounded } from "./bounded-file.ts";
import { createFileCalls } from "./file-calls.ts";
import { measure } from "./measure.ts";
import { BlobMissing, BlobStoreUnavailable } from "./unavailable.ts";

const TITLE = "The platform's blob store (the folder blobs in DATA_DIR)";
/** No space, no quota, or the largest file that the process may write. */
const FULL = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);
const CHUNK = 256 * 1024;
/** What was written takes its time to reach the disk: a second for each megabyte. */
const SYNCED_BYTES_PER_MS = 1000;
const SYNC_MS = 2500;
/** What a check writes: a full disk is seen by writing alone. */
const PROBE = new Uint8Array(64 * 1024);
const KEY = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Keeps blobs as files below `folder`, each complete and synced before it has its name. A folder that hangs, as one of a
 * network may, is not available, and keeps no more than its share of the process's threads.
 */
export function openDiskStore(folder: string): BlobStore {
  const calls = createFileCalls(() => stat(folder));
  let made: Promise<unknown> | undefined;

  /** Makes the folder once. One that goes away later is not made again: a volume may belong there. */
  async function ready() {
    made ??= calls.call(() => mkdir(folder, { recursive: true, mode: 0o700 }));
    await made.catch((reason) => {
      made = undefined;
      throw reason;
    });
  }

  /** Keys begin with their time, so their ends spread the files. */
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

  /** A file that is not there in a folder that is. */
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

/** Writes the content, each piece while the next one comes in; returns its size. */
async function write(file: BoundedFile, content: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  let writing: Promise<unknown> = Promise.resolve();
  for await (const piece of gathered(content)) {
    await writing;
    writing = file.use((handle) => handle.writeFile(piece));
    // Its failure is seen with the next piece, which may be long in coming.
    writing.catch(() => undefined);
    bytes += piece.byteLength;
  }
  await writing;
  return bytes;
}

/** Gathers small chunks, so that each call writes much, and splits large ones, so that none takes long. */
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

/** Streams a part of a file. Its first bytes are read before this returns, so that one that hangs is no answer yet. */
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
