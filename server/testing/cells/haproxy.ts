import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { guardProcess } from "../guard-process.ts";
import { type Addresses, mergeCommand, type Router } from "./router.ts";

const CONFIGURATION = new URL("../../../docs/operating/cells/haproxy.cfg", import.meta.url);
const MAPS = "/usr/local/etc/haproxy";
const POLL_MS = 20;

/** Returns true if the cell behind this port reports that it is healthy. */
const isUp = (port: number) =>
  fetch(`http://127.0.0.1:${port}/health`).then(
    ({ status }) => status === 200,
    () => false,
  );

/** Starts an HAProxy with docs/operating/cells/haproxy.cfg, of which only addresses, names and paths are replaced. */
export async function startHaproxy(
  binary: string,
  { shared, own, cells }: Addresses,
  folder: string,
): Promise<Router> {
  const file = (name: string) => join(folder, name);
  const [[nameA = "", portA], [nameB = "", portB]] = Object.entries(cells) as [
    [string, number],
    [string, number],
  ];
  const binds = [shared, ...Object.values(own)].map((port) => `    bind 127.0.0.1:${port}`);
  const text = readFileSync(CONFIGURATION, "utf8")
    .replaceAll(MAPS, folder)
    .replace("    bind :8080", binds.join("\n"))
    .replace("00.internal:3000", `127.0.0.1:${portA}`)
    .replace("k7.internal:3000", `127.0.0.1:${portB}`);
  writeFileSync(file("haproxy.cfg"), text);
  writeFileSync(file("cells.map"), `${nameA} first\n${nameB} second\n`);
  writeFileSync(file("hosts.map"), `127.0.0.1:${own[nameA]} first\n127.0.0.1:${own[nameB]} second\n`);
  writeFileSync(file("moved.map"), "");
  const child = spawn(binary, ["-W", "-f", file("haproxy.cfg")], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  guardProcess(child.pid);
  for (const port of Object.values(own)) while (!(await isUp(port))) await sleep(POLL_MS);
  return {
    // The same as `systemctl reload haproxy`.
    command: `${mergeCommand(file("moved.map"))} && kill -USR2 ${child.pid}`,
    async stop() {
      const gone = once(child, "exit");
      if (child.exitCode === null && child.kill("SIGTERM")) await gone;
    },
  };
}
