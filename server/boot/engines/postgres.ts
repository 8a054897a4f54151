import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { backoffMs } from "../../base/backoff.ts";
import { log } from "../../base/log.ts";
import { codeOf } from "../../base/thrown.ts";
import { freePort, isAlive, readCommand, waitUntilGone } from "../processes.ts";
import type { EngineGuard } from "./engine-guard.ts";
import { bareEnv, initialise, readPassword } from "./initialise-postgres.ts";
import { findPostgresUser, type PostgresUser } from "./postgres-user.ts";

export interface PostgresOptions {
  name: "platform" | "tenants";
  /** The cluster's folder; its password and log are beside it. */
  dataDir: string;
  maxConnections?: number;
  /** The address space of each of its processes; unbounded if the system can't limit it. */
  memoryBytes?: number;
  /** Further settings of postgresql.conf; a function gets the user and the folder once the cluster's files exist. */
  settings?: Record<string, string> | ((user: PostgresUser) => Record<string, string>);
  /** How long the start may take: there may be a long log to read. */
  readyMs?: number;
  /** Ends the server once every process that uses it has ended. */
  guard?: EngineGuard;
  /** For tests: nothing is synced to disk, and `stop` removes the cluster. */
  throwAway?: boolean;
  /** True if root may run it in a user namespace; otherwise it runs under an unprivileged account. */
  namespaces?: boolean;
}

export interface Postgres {
  /** Returns the address of a database of the cluster, by default the one named like the cluster. */
  url(database?: string): string;
  /** The postmaster's process id, which changes with a restart. */
  readonly pid: number;
  /** Stops the server, whatever it is doing, unless another process of the platform (such as a script) uses it. */
  stop(): Promise<void>;
}

interface Running {
  pid: number;
  port: number;
}

const defaults = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  // A container's /dev/shm is often too small for parallel queries.
  dynamic_shared_memory_type: "mmap",
  max_wal_size: "2GB",
  random_page_cost: "1.1",
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  // Terse messages omit details, which quote the values of rows.
  log_error_verbosity: "terse",
};

/** Statistics of the platform's statements, for operators. Utility statements are not normalised and may have values. */
const statistics = {
  shared_preload_libraries: "pg_stat_statements",
  "pg_stat_statements.max": "2000",
  "pg_stat_statements.track_utility": "off",
};

/** How long each way of stopping may take; PostgreSQL itself gives its processes five seconds to end at once. */
const STOP_MS = 7000;

function settingsOf(
  user: PostgresUser,
  { name, maxConnections = 100, settings, throwAway }: PostgresOptions,
) {
  return {
    ...defaults,
    shared_buffers: name === "platform" && !throwAway ? "256MB" : "64MB",
    ...(name === "platform" && statistics),
    max_connections: String(maxConnections),
    ...(throwAway && { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }),
    ...(typeof settings === "function" ? settings(user) : settings),
  };
}

/** True if the process is the postmaster of that folder: after a crash, another process may have its id. */
function isPostmaster(pid: number, dataDir: string) {
  const command = isAlive(pid) ? readCommand(pid) : "";
  return command.includes("postgres") && command.includes(dataDir);
}

function readPidFile(dataDir: string) {
  try {
    const lines = readFileSync(join(dataDir, "postmaster.pid"), "utf8").split("\n");
    return { pid: Number(lines[0]), port: Number(lines[3]), ready: lines[7]?.trim() === "ready" };
  } catch {
    return undefined;
  }
}

/** Returns the server process that runs on a cluster's files; null if there is none. */
export function readPostmaster(dataDir: string): number | null {
  const found = readPidFile(dataDir);
  return found && isPostmaster(found.pid, dataDir) ? found.pid : null;
}

function bounded(bytes: number | undefined, [command, args]: [string, string[]]): [string, string[]] {
  const canBound = bytes !== undefined && spawnSync("prlimit", ["--version"]).status === 0;
  return canBound ? ["prlimit", [`--as=${bytes}`, command, ...args]] : [command, args];
}

function launch(user: PostgresUser, port: number, options: PostgresOptions) {
  const logFile = `${options.dataDir}.log`;
  const full = existsSync(logFile) && statSync(logFile).size > 16 * 1024 * 1024;
  const output = openSync(logFile, full ? "w" : "a", 0o600);
  const settings = Object.entries(settingsOf(user, options)).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`,
  ]);
  const [command, args] = bounded(
    options.memoryBytes,
    user.command("postgres", ["-D", user.dataDir, "-p", String(port), ...settings]),
  );
  // A process group of its own: Ctrl-C reaches us only, and we stop the server after the last request.
  const child = spawn(command, args, {
    ...user.account,
    cwd: "/",
    env: bareEnv,
    detached: true,
    stdio: ["ignore", output, output],
  });
  child.unref();
  return child;
}

/** Returns the running server of the folder, even if another process started it, or starts one at the port. */
async function ensureRunning(user: PostgresUser, options: PostgresOptions, port?: number): Promise<Running> {
  let child: ChildProcess | undefined;
  const { readyMs = 300_000 } = options;
  const deadline = Date.now() + readyMs;
  for (;;) {
    const found = readPidFile(user.dataDir);
    if (found && isPostmaster(found.pid, user.dataDir)) {
      if (found.ready) return found;
    } else if (!child) {
      // Another process may have its id by now, which would keep PostgreSQL from starting.
      rmSync(join(user.dataDir, "postmaster.pid"), { force: true });
      child = launch(user, port ?? (await freePort()), options);
    }
    if (child && (child.exitCode !== null || child.signalCode !== null)) {
      throw new Error(`PostgreSQL did not start; ${options.dataDir}.log says why.`);
    }
    if (Date.now() > deadline)
      throw new Error(`PostgreSQL was not ready in ${readyMs / 60_000} minutes; see ${options.dataDir}.log.`);
    await sleep(20);
  }
}

let uses = 0;

/**
 * Registers this process as a user of the server. The returned function ends the registration; it returns true if no
 * other process is registered.
 */
function writeUse(dataDir: string): () => boolean {
  const folder = `${dataDir}.users`;
  const own = `${process.pid}-${++uses}`;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, own), readCommand(process.pid));
  return () => {
    rmSync(join(folder, own), { force: true });
    const others = existsSync(folder) ? readdirSync(folder) : [];
    // A killed process leaves its file, and another process may have its id by now.
    const living = others.filter((name) => {
      const pid = Number.parseInt(name, 10);
      return isAlive(pid) && readCommand(pid) === readUse(join(folder, name));
    });
    for (const name of others) if (!living.includes(name)) rmSync(join(folder, name), { force: true });
    return living.length === 0;
  };
}

/** Returns the command of a registered process; null if its registration ended meanwhile. */
function readUse(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
}

/** Ends the server: by SIGINT, else SIGQUIT, else SIGKILL, which loses no committed data. */
async function end(pid: number, name: string, throwAway = false): Promise<void> {
  const ways = throwAway ? (["SIGQUIT", "SIGKILL"] as const) : (["SIGINT", "SIGQUIT", "SIGKILL"] as const);
  for (const [nth, signal] of ways.entries()) {
    if (nth > 0) log.warn("A cluster does not stop and gets a stronger signal.", { cluster: name, signal });
    if (isAlive(pid)) process.kill(pid, signal);
    if (await waitUntilGone(pid, STOP_MS)) return;
  }
}

async function createDatabase(url: string, name: string) {
  const sql = postgres(url, { max: 1, connect_timeout: 30, onnotice: () => undefined });
  try {
    const [found] = await sql`select from pg_database where datname = ${name}`;
    if (!found) await sql`create database ${sql(name)}`;
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** Creates the extension that shows the statistics of statements, unless the server is a standby. */
async function createStatistics(url: string) {
  const sql = postgres(url, { max: 1, connect_timeout: 30, onnotice: () => undefined });
  try {
    const [found] = await sql`select where pg_is_in_recovery()
      or exists (select from pg_extension where extname = 'pg_stat_statements')`;
    if (found) return;
    await sql`create schema if not exists statistics`;
    await sql`create extension if not exists pg_stat_statements schema statistics`;
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** Starts an embedded PostgreSQL 18, or joins the one that runs on the folder, and restarts it when it dies. */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const own = { ...options, dataDir: resolve(options.dataDir) };
  const user = await findPostgresUser(own.dataDir, own.namespaces);
  const password = readPassword(own.dataDir);
  initialise(user, password, own.throwAway);
  const leave = writeUse(own.dataDir);
  const run = async (port?: number) => {
    const running = await ensureRunning(user, own, port);
    own.guard?.add(running.pid, "INT QUIT");
    return running;
  };
  let server = await run();
  let stopping = false;
  const url = (database: string = own.name) =>
    `postgres://postgres:${password}@127.0.0.1:${server.port}/${database}`;

  async function supervise() {
    for (let failures = 0; ; ) {
      const since = Date.now();
      await waitUntilGone(server.pid);
      if (stopping) return;
      if (Date.now() - since > 10_000) failures = 0;
      log.error("PostgreSQL stopped under the running server and is started again.", {
        cluster: own.name,
        failures,
      });
      await sleep(backoffMs(failures++, 100, 10_000), undefined, { ref: false });
      if (stopping) return;
      server = await run(server.port).catch((error) => {
        log.error("PostgreSQL did not start again.", { cluster: own.name, error });
        return server;
      });
    }
  }

  await createDatabase(url("postgres"), own.name);
  if (own.name === "platform") await createStatistics(url());
  void supervise();

  return {
    url,
    get pid() {
      return server.pid;
    },
    async stop() {
      stopping = true;
      if (!leave()) return;
      await end(server.pid, own.name, own.throwAway);
      if (!own.throwAway) return;
      for (const path of [
        user.dataDir,
        own.dataDir,
        `${own.dataDir}.password`,
        `${own.dataDir}.log`,
        `${own.dataDir}.users`,
      ]) {
        rmSync(path, { recursive: true, force: true });
      }
    },
  };
}
