import { spawn, spawnSync } from "node:child_process";
import { closeSync, constants, existsSync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { log } from "../../base/log.ts";
import { isAlive, readCommand } from "../processes.ts";

const SCRIPT = fileURLToPath(new URL("engine-guard.sh", import.meta.url));
const LOOK_MS = 2000;

/** Ends the engines of a data folder soon after the last process that uses them has ended. */
export interface EngineGuard {
  /** Registers an engine that this process uses, with the signals that ask it to end and that force it to. */
  add(pid: number, signals: "INT QUIT" | "TERM KILL"): void;
  /** Ends the registration: this process uses no engine any more. */
  close(): void;
}

/**
 * Holds the folder's FIFO open, which the system closes with this process however it ends, and starts a small shell
 * that waits for that. The shell then ends the engines, unless another process of the platform starts within `seconds`.
 */
export function openEngineGuard(dataDir: string, seconds: number): EngineGuard {
  const fifo = join(resolve(dataDir), "engines.fifo");
  mkdirSync(dataDir, { recursive: true });
  if (!existsSync(fifo)) spawnSync("mkfifo", ["-m", "600", fifo]);
  if (!existsSync(fifo)) {
    log.warn(
      "The data folder can't contain a FIFO: if this server is killed, its engines run until the next start.",
      { file: fifo },
    );
    return { add: () => undefined, close: () => undefined };
  }
  const pipe = openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK);
  const engines = new Set<string>();

  function write(line: string) {
    try {
      writeSync(pipe, `${line}\n`);
    } catch (error) {
      log.warn("The guard of the engines can't be reached.", { error });
    }
  }

  function isGuarded() {
    try {
      const pid = Number(readFileSync(`${fifo}.guard`, "utf8"));
      return isAlive(pid) && readCommand(pid).includes(fifo);
    } catch {
      return false;
    }
  }

  function look() {
    if (isGuarded() || !existsSync(fifo)) return;
    for (const engine of engines) write(engine);
    // Its end of the FIFO is open before it runs, so it reads everything that this process wrote before it ended.
    const read = openSync(fifo, constants.O_RDONLY);
    spawn("sh", [SCRIPT, fifo, String(seconds)], {
      cwd: "/",
      detached: true,
      stdio: [read, "ignore", "ignore"],
      env: { PATH: process.env.PATH, NODE_ENV: process.env.NODE_ENV },
    })
      .on("error", (error) => log.warn("The guard of the engines did not start.", { error }))
      .unref();
    closeSync(read);
  }

  look();
  write("hello");
  const watch = setInterval(look, LOOK_MS);
  watch.unref();
  return {
    add(pid, signals) {
      engines.add(`${pid} ${signals}`);
      write(`${pid} ${signals}`);
    },
    close() {
      clearInterval(watch);
      closeSync(pipe);
    },
  };
}
