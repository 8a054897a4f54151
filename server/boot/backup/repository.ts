import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { z } from "zod";
import { Refusal } from "../refusal.ts";

/** The embedded clusters that are backed up, in the order of their restoration. */
const CLUSTERS = ["platform", "tenants"] as const;
export type ClusterName = (typeof CLUSTERS)[number];

const ClusterManifest = z.object({
  /** PostgreSQL's identifier of the cluster, which its copies share. */
  identifier: z.string(),
  /** The file `backup_label`, which tells PostgreSQL where to start reading its log. */
  label: z.string(),
  /** The first and the last file of the log that the copy needs to be consistent. */
  firstSegment: z.string(),
  lastSegment: z.string(),
  /** Its folders, including empty ones, which object stores would lose. */
  folders: z.array(z.string()),
  files: z.number(),
  bytes: z.number(),
});
export type ClusterManifest = z.output<typeof ClusterManifest>;

/** The description of a backup. Written last: a folder without it is an incomplete backup. */
const Manifest = z.object({
  format: z.literal(1),
  version: z.string(),
  begunAt: z.iso.datetime(),
  /** The earliest moment to which it can be restored. */
  endedAt: z.iso.datetime(),
  platform: ClusterManifest,
  /** Null if accounts' databases are in the operator's own clusters. */
  tenants: ClusterManifest.nullable(),
  /** True if files are in a bucket, which is not copied. */
  bucket: z.boolean(),
  /** SHA-256 of the file SHA256SUMS. */
  sums: z.string(),
});
export type Manifest = z.output<typeof Manifest>;

export interface Backup extends Manifest {
  name: string;
  folder: string;
}

/** The paths of a backup folder: several backups, the log that leads from each to later moments, and files. */
export function repositoryAt(folder: string) {
  const root = resolve(folder);
  return {
    root,
    /** The identifier of the platform's cluster, so that two installations can't share the folder. */
    installation: join(root, "installation"),
    backup: (name: string) => join(root, name),
    log: (cluster: ClusterName) => join(root, "log", cluster),
    blobs: join(root, "blobs"),
    /** Deleted blobs, by the first backup without them. */
    deletedBlobs: join(root, "deleted-blobs"),
    chains: join(root, "chains"),
  };
}
export type Repository = ReturnType<typeof repositoryAt>;

/** Creates the folder, or checks that it belongs to this installation. Throws a `Refusal`. */
export function claimRepository(folder: string, dataDir: string, identifier: string): Repository {
  const repository = repositoryAt(folder);
  if (isWithin(repository.root, dataDir))
    throw new Refusal(`${folder} is in DATA_DIR (${dataDir}): a backup there would be lost with it.`);
  mkdirSync(repository.root, { recursive: true, mode: 0o700 });
  if (!existsSync(repository.installation)) {
    const [other] = readdirSync(repository.root).filter((name) => name !== "lost+found");
    if (other)
      throw new Refusal(`${folder} contains other files (${other}). Name an empty folder for backups.`);
    writeFileSync(repository.installation, identifier, { mode: 0o600, flush: true });
  }
  if (readFileSync(repository.installation, "utf8") !== identifier)
    throw new Refusal(`${folder} contains the backups of another installation. Name another folder.`);
  for (const cluster of CLUSTERS) mkdirSync(repository.log(cluster), { recursive: true, mode: 0o700 });
  for (const path of [repository.blobs, repository.chains]) mkdirSync(path, { recursive: true, mode: 0o700 });
  return repository;
}

/** True if a path is a folder or lies below it. */
export function isWithin(path: string, folder: string): boolean {
  const way = relative(resolve(folder), resolve(path));
  return way === "" || !(way.startsWith("..") || resolve(way) === way);
}

const NAME = /^\d{8}T\d{6}Z$/;

/** Returns a backup's name: the second at which it began. */
export const nameOf = (at: Date) => at.toISOString().replace(/[-:]|\.\d+/g, "");

/** Returns the complete backups of a folder, the oldest first. */
export function listBackups({ root }: Repository): Backup[] {
  return readdirSync(root)
    .filter((name) => NAME.test(name))
    .sort()
    .map((name) => {
      const folder = join(root, name);
      const manifest = Manifest.parse(JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")));
      return { ...manifest, name, folder };
    });
}

/** Returns the position of a file of PostgreSQL's log, which is the same on every timeline. */
export function placeOfSegment(name: string): number {
  return Number.parseInt(name.slice(8, 16), 16) * 256 + Number.parseInt(name.slice(16, 24), 16);
}
