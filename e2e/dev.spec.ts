import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { freePort } from "../server/boot/processes.ts";

test("`npm run dev` serves the reference, which another process renders, and goes on", async () => {
  test.slow();
  const dataDir = mkdtempSync(join(tmpdir(), "e2e-dev-"));
  const port = await freePort();
  const child = spawn("npm", ["run", "dev"], {
    detached: true,
    env: {
      ...process.env,
      NODE_ENV: "development" as const,
      DATA_DIR: dataDir,
      PORT: String(port),
      BASE_URL: "",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise((done) => child.once("exit", done));
  try {
    const ready = Promise.withResolvers<void>();
    child.stdout.on("data", (data) => String(data).includes("Open http") && ready.resolve());
    child.stderr.resume();
    await Promise.race([ready.promise, ended]);
    const statusOf = async (path: string) => (await fetch(`http://localhost:${port}${path}`)).status;
    expect(await statusOf("/docs/projects.create")).toBe(200);
    expect(await statusOf("/docs")).toBe(200);
    // Each check of it has a second, which a machine that compiles may need more than once.
    await expect.poll(() => statusOf("/health"), { timeout: 120_000 }).toBe(200);
  } finally {
    process.kill(-(child.pid as number), "SIGTERM");
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
  }
});
