import { access, mkdir, open, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { BlobStore, ByteRange } from "./blob-store.ts";
import { measure } from "./measure.ts";
import { BlobStoreUnavailable } from "./unavailable.ts";

const TITLE = "The platform's blob store (the folder blobs in DATA_DIR)";
/** No space, no quota, or the largest file that the process may write. */
const FULL = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);
const CHUNK = 256 * 1024;
/** What a check writes: a full disk is seen by writing alone. */
const PROBE = new Uint8Array(64 * 1024);
const KEY = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Keeps blobs as files below `folder`, each complete and synced before it has its name. */
export function openDiskStore(folder: string): BlobStore {
  let made: Promise<unknown> | undefined;

  /** Makes the folder once. One that goes away later is not made again: a volume may belong there. */
  async function ready() {
    made ??= mkdir(folder, { recursive: true, mode: 0o700 });
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
      try {
        await ready();
        await mkdir(dirname(file), { mode: 0o700 }).catch(unlessExists);
        const handle = await open(draft, "wx", 0o600);
        // The stream syncs the file to the disk before it closes it.
        await pipeline(measured.chunks, handle.createWriteStream({ flush: true, highWaterMark: CHUNK * 4 }));
        await rename(draft, file);
        await sync(dirname(file));
      } catch (reason) {
        await rm(draft, { force: true }).catch(() => undefined);
        throw measured.broken()?.reason ?? unavailable(reason);
      }
      return { key, ...measured.result() };
    },

    async read(key, range) {
      const handle = await open(fileOf(key), "r").catch((reason) => {
        throw unavailable(reason);
      });
      return streamOf(handle, range ?? { start: 0, end: Number.MAX_SAFE_INTEGER });
    },

    async delete(key) {
      const file = fileOf(key);
      try {
        await access(folder);
        await Promise.all([rm(file, { force: true }), rm(`${file}.part`, { force: true })]);
      } catch (reason) {
        throw unavailable(reason);
      }
    },

    async check() {
      const probe = join(folder, `probe-${process.pid}`);
      try {
        await ready();
        await writeFile(probe, PROBE, { mode: 0o600 });
      } catch (reason) {
        throw unavailable(reason);
      } finally {
        await rm(probe, { force: true }).catch(() => undefined);
      }
    },
  };

  function unavailable(cause: unknown) {
    const full = FULL.has((cause as NodeJS.ErrnoException).code ?? "");
    const state = full ? "has no room left on its disk" : "is not available";
    return new BlobStoreUnavailable(`${TITLE} ${state}.`, cause);
  }
}

function unlessExists(reason: NodeJS.ErrnoException) {
  if (reason.code !== "EEXIST") throw reason;
}

/** Makes the file's new name durable. */
async function sync(folder: string) {
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}

type FileHandle = Awaited<ReturnType<typeof open>>;

function streamOf(handle: FileHandle, { start, end }: ByteRange): ReadableStream<Uint8Array> {
  let position = start;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const length = Math.min(CHUNK, end - position + 1);
        const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, position);
        position += bytesRead;
        if (bytesRead > 0) controller.enqueue(new Uint8Array(buffer.buffer, buffer.byteOffset, bytesRead));
        if (bytesRead > 0 && position <= end) return;
        await handle.close();
        controller.close();
      } catch (reason) {
        await handle.close().catch(() => undefined);
        throw reason;
      }
    },
    cancel: () => handle.close(),
  });
}
