import { spawnSync } from "node:child_process";
import { chownSync, readdirSync } from "node:fs";
import type { PostgresUser } from "../postgres-user.ts";
import { Refusal } from "../refusal.ts";
import type { ClusterName, Repository } from "./repository.ts";

/** What is not on disk elsewhere is lost with the machine: at most this long. */
const LONGEST = "60s";

/** As a word of a shell, in a command in which PostgreSQL replaces what a `%` begins. */
const word = (path: string) => `'${path.replaceAll("'", "'\\''").replaceAll("%", "%%")}'`;

/** The settings by which a cluster keeps its log in a backup folder, compressed: a quiet minute takes 16 MB otherwise. */
export function archiveSettings(repository: Repository, cluster: ClusterName): Record<string, string> {
  const folder = word(repository.log(cluster));
  return {
    archive_mode: "on",
    archive_timeout: LONGEST,
    // Kept before and not yet ticked off, it is kept again; another file of the same name is never overwritten.
    archive_command:
      `f=${folder}/%f.gz; if [ -e "$f" ]; then gzip -dc "$f" | cmp -s - "%p"; ` +
      `else gzip -1 -c "%p" >"$f.draft" && sync "$f.draft" && mv "$f.draft" "$f"; fi`,
  };
}

/** The settings by which a copy of a cluster reads that log up to a moment, or to its end, and opens then. */
export function recoverySettings(
  repository: Repository,
  cluster: ClusterName,
  at: string | null,
): Record<string, string> {
  return {
    restore_command: `f=${word(repository.log(cluster))}/%f.gz && [ -e "$f" ] && gzip -dc "$f" >"%p"`,
    recovery_target_timeline: String(newestTimeline(repository, cluster)),
    recovery_target_action: "promote",
    ...(at !== null && { recovery_target_time: at.replace("Z", "+00") }),
    // Nobody reads before its end.
    hot_standby: "off",
  };
}

/** The timeline that was written last: one that a restore has begun and nobody has gone on with holds nothing. */
function newestTimeline(repository: Repository, cluster: ClusterName): number {
  const segments = readdirSync(repository.log(cluster)).filter((name) => /^[0-9A-F]{24}\.gz$/.test(name));
  return Math.max(...segments.map((name) => Number.parseInt(name.slice(0, 8), 16)));
}

/** Makes sure that the programs and the folder of the log can be used by whom PostgreSQL runs as. */
export function checkArchive(
  repository: Repository,
  clusters: readonly ClusterName[],
  { account }: PostgresUser,
) {
  for (const program of ["gzip", "cmp"]) {
    const { error } = spawnSync(program, ["--version"], { stdio: "ignore" });
    if (error) throw new Refusal(`The program ${program}, which keeps PostgreSQL's log, is not installed.`);
  }
  if (!account) return;
  for (const cluster of clusters) {
    const folder = repository.log(cluster);
    chownSync(folder, account.uid, account.gid);
    if (spawnSync("test", ["-w", folder], account).status !== 0)
      throw new Refusal(
        `User ${account.uid}, as whom PostgreSQL runs here, can't reach ${folder}. Put BACKUP_DIR below folders that others may enter.`,
      );
  }
}
