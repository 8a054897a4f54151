import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const env = { ...process.env, NODE_ENV: "production" as const };
const server = spawn(process.execPath, [join(root, "server/boot/main.ts")], {
  stdio: "inherit",
  env,
  cwd: root,
});

process.on("SIGTERM", () => server.kill("SIGTERM"));
process.on("SIGINT", () => server.kill("SIGTERM"));
server.once("exit", (code) => {
  rmSync(process.env.DATA_DIR as string, { recursive: true, force: true });
  process.exit(code ?? 1);
});
