import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { codeOf } from "#server/base/thrown.ts";

/** Returns the command line of a process; empty if it has ended. */
export function readCommand(pid: number): string {
  if (process.platform !== "linux")
    return spawnSync("ps", ["-p", String(pid), "-o", "command="], { encoding: "utf8" }).stdout;
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

/** True if the process is running; an ended process that nobody waited for (a zombie) is not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (codeOf(error) !== "EPERM") return false;
  }
  return process.platform !== "linux" || readCommand(pid) !== "";
}

/** Returns the port that a server listens on. */
export function portOf(server: Pick<Server, "address">): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new RangeError("The server listens on no port.");
  return address.port;
}

/** Returns a port below those that outgoing connections could take before the server listens on it. */
const randomPort = () => randomInt(10_000, 32_768);

/** Returns a port of loopback that nobody listens on: the preferred one if it is free. */
export function freePort(preferred = randomPort()): Promise<number> {
  return new Promise<number>((done, fail) => {
    const probe = createServer().once("error", (error) =>
      codeOf(error) === "EADDRINUSE" ? done(freePort()) : fail(error),
    );
    probe.listen(preferred, "127.0.0.1", () => probe.close(() => done(preferred)));
  });
}

/** Throws the error of listening if another process has the port, on any address of the machine. */
export function checkPort(port: number): Promise<void> {
  return new Promise((done, fail) => {
    const probe = createServer().once("error", fail);
    probe.listen(port, () => probe.close(() => done()));
  });
}

/** Waits for a process to end; returns true if it ended in time. */
export async function waitUntilGone(pid: number, milliseconds = Number.POSITIVE_INFINITY): Promise<boolean> {
  const deadline = Date.now() + milliseconds;
  while (isAlive(pid)) {
    if (Date.now() > deadline) return false;
    await sleep(50, undefined, { ref: milliseconds !== Number.POSITIVE_INFINITY });
  }
  return true;
}
