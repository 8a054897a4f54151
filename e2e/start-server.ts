import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const dataDir = process.env.E2E_DATA_DIR ?? mkdtempSync(join(tmpdir(), "e2e-"));
const root = fileURLToPath(new URL("..", import.meta.url));
const main = join(root, "server/boot/main.ts");
const env = { ...process.env, NODE_ENV: "production" as const, DATA_DIR: dataDir };
const server = spawn(process.execPath, [main], { stdio: "inherit", env, cwd: root });

process.on("SIGTERM", () => server.kill("SIGTERM"));
process.on("SIGINT", () => server.kill("SIGTERM"));
server.once("exit", (code) => {
  rmSync(dataDir, { recursive: true, force: true });
  process.exit(code ?? 1);
});
