import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const SERVE = fileURLToPath(new URL("serve.ts", import.meta.url));

/** The API as another process, for a test to kill; `options` as `serve.ts` takes them. It ends with the test at the latest. */
export async function startServer(databaseUrl: string, ...options: string[]) {
  const child = spawn(process.execPath, [SERVE, databaseUrl, ...options], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [port] = await once(createInterface(child.stdout), "line");
  return { origin: `http://127.0.0.1:${port}`, child };
}
