import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "../boot/processes.ts";
import { guardProcess } from "./guard-process.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const NEXT = fileURLToPath(new URL("../../node_modules/next/dist/bin/next", import.meta.url));
const SECRET = Buffer.alloc(32, 1).toString("base64");

/** The settings of every process of an installation on a database of its own. */
export const SECRETS = {
  AUTH_SECRET: SECRET,
  FINGERPRINT_SECRET: SECRET,
  SEALING_KEY: SECRET,
  VAULT_KEYS: SECRET,
  AUDIT_SIGNING_KEY: SECRET,
  ARCHIVE_SIGNING_KEY: SECRET,
  RECEIPT_SIGNING_KEY: SECRET,
};

/** Starts `next start` with the last build; with an empty `BASE_URL` its origin is that of each request. */
export async function startNextProcess(settings: Record<string, string>, folder = root) {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [NEXT, "start", root, "--port", String(port)], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1", ...settings },
  });
  guardProcess(child.pid);
  let printed = "";
  const read = (data: Buffer) => {
    printed += data;
  };
  child.stdout.on("data", read);
  child.stderr.on("data", read);
  const ended = new Promise<number | null>((done) => child.once("exit", done));

  /** Waits until it is ready; fails if it ends before. */
  async function untilReady() {
    for (;;) {
      const code = await Promise.race([ended, sleep(50, undefined)]);
      if (code !== undefined) throw new Error(`\`next start\` ended with ${code}: ${printed}`);
      const alive = await fetch(`${origin}/health/live`).catch(() => null);
      if (alive?.status === 200) return;
    }
  }
  return { port, origin, child, ended, untilReady, printed: () => printed };
}
