import { spawnSync } from "node:child_process";
import { chownSync, readdirSync } from "node:fs";
import type { PostgresUser } from "../engines/postgres-user.ts";
import { Refusal } from "../refusal.ts";
import type { ClusterName, Repository } from "./repository.ts";

/** The longest period of commits that a loss of the machine can lose. */
const LONGEST = "60s";

/** Quotes a path for a shell command in which PostgreSQL expands `%`. */
const word = (path: string) => `'${path.replaceAll("'", "'\\''").replaceAll("%", "%%")}'`;

/**
 * Returns the settings with which a cluster archives its log in a backup folder. Compressed, since a quiet minute takes
 * 16 MB otherwise.
 */
export function archiveSettings(repository: Repository, cluster: ClusterName): Record<string, string> {
  const folder = word(repository.log(cluster));
  return {
    archive_mode: "on",
    archive_timeout: LONGEST,
    // A file that was archived but not acknowledged is archived again; another file of the same name is never
    // overwritten.
    archive_command:
      `f=${folder}/%f.gz; if [ -e "$f" ]; then gzip -dc "$f" | cmp -s - "%p"; ` +
      `else gzip -1 -c "%p" >"$f.draft" && sync "$f.draft" && mv "$f.draft" "$f"; fi`,
  };
}

/** Returns the settings with which a copy of a cluster reads that log up to a moment, or to its end, and then opens. */
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
    // No session reads before the recovery has ended.
    hot_standby: "off",
  };
}

/** Returns the newest timeline with log files; a timeline that a restore has begun without later writes has none. */
function newestTimeline(repository: Repository, cluster: ClusterName): number {
  const segments = readdirSync(repository.log(cluster)).filter((name) => /^[0-9A-F]{24}\.gz$/.test(name));
  return Math.max(...segments.map((name) => Number.parseInt(name.slice(0, 8), 16)));
}

/** Checks that the account of PostgreSQL can use the programs and the folder of the log. */
export function checkArchive(
  repository: Repository,
  clusters: readonly ClusterName[],
  { account }: PostgresUser,
) {
  for (const program of ["gzip", "cmp"]) {
    const { error } = spawnSync(program, ["--version"], { stdio: "ignore" });
    if (error)
      throw new Refusal(`The program ${program}, which archives PostgreSQL's log, is not installed.`);
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
