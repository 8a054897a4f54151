import { existsSync, mkdtempSync, readdirSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PREFIX = "managed-services-test-";
/** Linux's file system in memory. */
const IN_MEMORY = "/dev/shm";
/** The memory that must be free for clusters to be kept there; a whole test run uses a fraction of it. */
const ENOUGH_BYTES = 8 * 1024 ** 3;

function quickPlace(): string {
  if (!existsSync(IN_MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return Math.min(bavail * bsize, process.availableMemory()) > ENOUGH_BYTES ? IN_MEMORY : tmpdir();
}

/**
 * Creates the folder of a throw-away cluster, in memory where there is room: a test file's database consists of a
 * thousand files, whose creation takes ten times as long on a disk.
 */
export const newClusterFolder = (place = quickPlace()): string =>
  mkdtempSync(join(place, `${PREFIX}${process.pid}-`));

/** Returns the existing folders of clusters, each with the id of the process that made it. */
export function listClusterFolders(): { folder: string; owner: number }[] {
  return [tmpdir(), IN_MEMORY].filter(existsSync).flatMap((place) =>
    readdirSync(place)
      .filter((entry) => entry.startsWith(PREFIX))
      .map((entry) => ({
        folder: join(place, entry),
        owner: Number(entry.slice(PREFIX.length).split("-")[0]),
      })),
  );
}
