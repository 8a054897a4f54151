import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defined } from "#server/base/defined.ts";
import { freePort } from "#server/boot/processes.ts";
import { acceptsConnections } from "./accepts-connections.ts";
import { onCleanup } from "./cleanup.ts";
import { eventually } from "./eventually.ts";
import { guardProcess } from "./guard-process.ts";

const GUIDE = new URL("../../docs/operating.md", import.meta.url);

export interface Pooler {
  url: string;
  /** The statements that were sent through it and need a session of their own; PgBouncer does not notice them. */
  sessionState: readonly string[];
  /** Disconnects all clients, as a restart does. */
  restart(): Promise<void>;
}

/** Starts a PgBouncer with the settings of docs/operating.md, but for its addresses and the number of its sessions. */
export async function startPgbouncer(binary: string, url: string, size: number): Promise<Pooler> {
  const { hostname, port, username, password } = new URL(url);
  const folder = mkdtempSync(join(tmpdir(), "pgbouncer-"));
  const listenPort = await freePort();
  const [, settings = ""] = defined(/```ini\n(; pgbouncer\.ini[^`]*)```/.exec(readFileSync(GUIDE, "utf8")));
  const own = [
    `listen_addr = 127.0.0.1\nlisten_port = ${listenPort}\nunix_socket_dir =\nauth_type = any`,
    `[databases]\n* = host=${hostname} port=${port} user=${username} password=${password}\n`,
  ].join("\n");
  const file = join(folder, "pgbouncer.ini");
  writeFileSync(file, settings.replace(/(?<=default_pool_size = )\d+/, String(size)) + own, { mode: 0o644 });
  const pooled = url.replace(`:${port}/`, `:${listenPort}/`);

  let child: ChildProcess;
  async function start(): Promise<void> {
    // It does not run as root.
    const user = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
    child = spawn(binary, ["-q", ...user, file], { stdio: ["ignore", "inherit", "inherit"] });
    guardProcess(child.pid);
    await eventually(() => acceptsConnections(pooled));
  }
  async function stop(): Promise<void> {
    const gone = once(child, "exit");
    if (child.exitCode === null && child.kill("SIGKILL")) await gone;
  }
  await start();
  onCleanup(async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    url: pooled,
    sessionState: [],
    async restart() {
      await stop();
      await start();
    },
  };
}
