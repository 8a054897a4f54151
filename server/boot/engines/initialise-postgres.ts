import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { PostgresUser } from "./postgres-user.ts";

/** The environment of PostgreSQL's programs: without our secrets, and without variables like PGPORT. */
export const bareEnv: NodeJS.ProcessEnv = {
  NODE_ENV: process.env.NODE_ENV,
  PATH: process.env.PATH,
  LC_ALL: "C",
};

/** Returns the password of the cluster's superuser, which is created before the cluster. */
export function readPassword(dataDir: string) {
  const file = `${dataDir}.password`;
  if (!existsSync(file)) {
    if (existsSync(join(dataDir, "PG_VERSION")))
      throw new Error(`${file} is missing; the database at ${dataDir} cannot be opened.`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, randomBytes(24).toString("base64url"), { mode: 0o600 });
  }
  return readFileSync(file, "utf8").trim();
}

function makePrivate(path: string, { account }: PostgresUser) {
  if (account) chownSync(path, account.uid, account.gid);
}

/** The major version of the embedded programs, which can't open the data of another one. */
const MAJOR = "18";

/** The cluster was written by another major version of PostgreSQL. */
export class OtherVersion extends Error {
  constructor(dataDir: string, version: string) {
    super(
      `PostgreSQL ${version} has written ${dataDir}, and this release brings ${MAJOR}. Start the release that wrote it, and move the data as docs/operating.md says, "Upgrading PostgreSQL".`,
    );
    this.name = "OtherVersion";
  }
}

/**
 * Creates the cluster under a temporary name and renames it, so that a killed first start leaves no partial cluster.
 */
export function initialise(user: PostgresUser, password: string, throwAway = false) {
  const versionFile = join(user.dataDir, "PG_VERSION");
  if (existsSync(versionFile)) {
    const version = readFileSync(versionFile, "utf8").trim();
    if (version !== MAJOR) throw new OtherVersion(user.dataDir, version);
    return;
  }
  const draft = `${user.dataDir}.draft-${process.pid}`;
  const passwordFile = `${draft}.password`;
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  makePrivate(draft, user);
  makePrivate(passwordFile, user);
  try {
    const [command, args] = user.command("initdb", [
      `--pgdata=${draft}`,
      "--username=postgres",
      "--auth=scram-sha-256",
      `--pwfile=${passwordFile}`,
      "--encoding=UTF8",
      "--locale=C",
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
      // A random password needs no costly derivation, whose price clients would pay at every connection.
      ...(throwAway ? ["--no-sync", "--set", "scram_iterations=1"] : []),
    ]);
    const run = spawnSync(command, args, { ...user.account, cwd: "/", env: bareEnv, encoding: "utf8" });
    if (run.status !== 0) throw new Error(`initdb failed in ${draft}: ${run.error?.message ?? run.stderr}`);
    renameSync(draft, user.dataDir);
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(draft, { recursive: true, force: true });
  }
}
