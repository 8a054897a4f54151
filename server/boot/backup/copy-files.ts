import { createHash } from "node:crypto";
import { type FileHandle, mkdir, open, readdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { codeOf } from "#server/base/thrown.ts";

const AT_ONCE = 8;
const LEAST_CHUNK = 4096;
const MAX_CHUNK = 1_048_576;

function unlessGone(reason: unknown): null {
  if (codeOf(reason) === "ENOENT") return null;
  throw reason;
}

/** A copied file. */
export interface CopiedFile {
  path: string;
  bytes: number;
  sha256: string;
}

/** Copies a file to disk; returns null if it no longer exists, as can happen with a running database. */
export async function copyFile(from: string, to: string): Promise<Omit<CopiedFile, "path"> | null> {
  const source = await open(from).catch(unlessGone);
  if (!source) return null;
  try {
    const target = await open(to, "w", 0o600);
    try {
      return await pour(source, target);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function pour(source: FileHandle, target: FileHandle): Promise<Omit<CopiedFile, "path">> {
  const hash = createHash("sha256");
  // Of the file's size: a cluster has thousands of small files, and large buffers would cost more than copying them.
  const { size } = await source.stat();
  const buffer = Buffer.allocUnsafe(Math.min(Math.max(size, LEAST_CHUNK), MAX_CHUNK));
  let bytes = 0;
  for (;;) {
    const { bytesRead } = await source.read(buffer);
    if (bytesRead === 0) break;
    const chunk = buffer.subarray(0, bytesRead);
    hash.update(chunk);
    await target.writeFile(chunk);
    bytes += bytesRead;
  }
  await target.sync();
  return { bytes, sha256: hash.digest("hex") };
}

/** Copies a file to a temporary name and renames it, so that an interruption leaves no partial file. */
export async function placeFile(from: string, to: string): Promise<Omit<CopiedFile, "path"> | null> {
  const draft = `${to}.draft`;
  const copied = await copyFile(from, draft);
  if (copied) await rename(draft, to);
  return copied;
}

/** Runs an action for each item, a few at once; if one fails, throws after the running ones have ended. */
export async function forEach<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items[Symbol.iterator]();
  let failed = false;
  async function takeTurns() {
    for (let next = left.next(); !next.done && !failed; next = left.next()) {
      await work(next.value).catch((reason) => {
        failed = true;
        throw reason;
      });
    }
  }
  const turns = await Promise.allSettled(Array.from({ length: AT_ONCE }, takeTurns));
  for (const turn of turns) if (turn.status === "rejected") throw turn.reason;
}

/** True if the path, relative to the folder, is copied; for a folder, with its contents. */
export type Choice = (path: string, isFolder: boolean) => boolean;

/** Copies the contents of a folder; returns the relative paths of its folders, and its files. */
export async function copyFolder(from: string, to: string, choose: Choice) {
  const folders: string[] = [];
  const paths: string[] = [];

  async function look(folder: string) {
    for (const entry of await readdir(join(from, folder), { withFileTypes: true })) {
      const path = join(folder, entry.name);
      const isFolder = entry.isDirectory();
      if (isFolder) folders.push(path);
      else if (entry.isFile() && choose(path, false)) paths.push(path);
      if (isFolder && choose(path, true)) await look(path);
    }
  }
  await look("");
  for (const folder of ["", ...folders]) await mkdir(join(to, folder), { recursive: true, mode: 0o700 });
  const files: CopiedFile[] = [];
  await forEach(paths, async (path) => {
    const copied = await copyFile(join(from, path), join(to, path));
    if (copied) files.push({ path, ...copied });
  });
  return { folders, files };
}

/** Lists the files below a folder by relative paths; none if the folder does not exist. */
export async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(unlessGone);
  return (entries ?? [])
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

/** Creates the folder of a path. */
export const makeFolderOf = (path: string) => mkdir(dirname(path), { recursive: true, mode: 0o700 });
