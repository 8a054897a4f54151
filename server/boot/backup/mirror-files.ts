import { mkdir, readdir, rename, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { log } from "#server/base/log.ts";
import { codeOf } from "#server/base/thrown.ts";
import type { Env } from "../../env/read-env.ts";
import { forEach, listFiles, makeFolderOf, placeFile } from "./copy-files.ts";
import type { Repository } from "./repository.ts";

const EVERY_MS = 60_000;
const BLOB = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const CHAIN_FILES = ["state.json.gz", "deployment.json"];

/** The files that are copied beside the database. */
export interface Files {
  /** The folder of blobs; null if they are in a bucket. */
  blobs: string | null;
  /** The folder of the sandbox's chains. */
  chains: string;
}

export const filesOf = ({ dataDir, blobs }: Pick<Env, "dataDir" | "blobs">): Files => ({
  blobs: blobs.folder ?? null,
  chains: join(dataDir, "chains"),
});

const filesIn = (folder: string) => readdir(folder).catch((reason) => unlessGone(reason));

function unlessGone(reason: unknown): never[] {
  if (codeOf(reason) === "ENOENT") return [];
  throw reason;
}

/** Returns a mirror whose `copy` copies files that are new since its last call: a blob never changes. */
export function createMirror({ blobs, chains }: Files, repository: Repository) {
  /** The modification time of each copied folder of blobs. */
  const seen = new Map<string, number>();
  const saved = new Map<string, number>();

  async function copyBlobs(folder: string): Promise<void> {
    await forEach(await filesIn(folder), async (part) => {
      const source = join(folder, part);
      const changed = await stat(source);
      if (!changed.isDirectory() || seen.get(part) === changed.mtimeMs) return;
      const target = join(repository.blobs, part);
      await mkdir(target, { recursive: true, mode: 0o700 });
      const kept = new Set(await readdir(target));
      for (const name of await readdir(source))
        if (BLOB.test(name) && !kept.has(name)) await placeFile(join(source, name), join(target, name));
      seen.set(part, changed.mtimeMs);
    });
  }

  async function copyChains(): Promise<void> {
    for (const chainId of await filesIn(chains))
      for (const name of CHAIN_FILES) {
        const path = join(chainId, name);
        const found = await stat(join(chains, path)).catch((reason) => void unlessGone(reason));
        if (!found || saved.get(path) === found.mtimeMs) continue;
        await makeFolderOf(join(repository.chains, path));
        await placeFile(join(chains, path), join(repository.chains, path));
        saved.set(path, found.mtimeMs);
      }
  }

  return {
    async copy(): Promise<void> {
      if (blobs) await copyBlobs(blobs);
      await copyChains();
    },
  };
}

/** Copies new files every minute, and a last time when it is stopped. */
export function keepMirroring(files: Files, repository: Repository): () => Promise<void> {
  const mirror = createMirror(files, repository);
  let failing = false;
  async function copy() {
    try {
      await mirror.copy();
      failing = false;
    } catch (error) {
      if (!failing) log.error("Files could not be copied to BACKUP_DIR; it is tried again.", { error });
      failing = true;
    }
  }
  let copying = copy();
  const timer = setInterval(() => {
    copying = copying.then(copy);
  }, EVERY_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await copying.then(copy);
  };
}

/** Moves copies of deleted blobs aside, under the name of the first backup without them. */
export async function setDeletedAside(folder: string, repository: Repository, backup: string): Promise<void> {
  const present = new Set((await listFiles(folder)).map((path) => basename(path)));
  const gone = (await listFiles(repository.blobs)).filter((path) => !present.has(basename(path)));
  const target = join(repository.deletedBlobs, backup);
  if (gone.length > 0) await mkdir(target, { recursive: true, mode: 0o700 });
  await forEach(gone, (path) => rename(join(repository.blobs, path), join(target, basename(path))));
}
