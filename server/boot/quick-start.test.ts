import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const scripts: Record<string, string> = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).scripts;
const commands = Object.entries(scripts).filter(([, line]) => line.includes(" server/boot/commands/"));

/** Modules that only a server or a page needs, and the registry, which loads all of them. */
const HEAVY =
  /\/server\/operations\.ts$|\/node_modules\/(next|react|react-dom|ai|qrcode|@modelcontextprotocol|@opentelemetry)\//;

/** Runs a command as npm does; its settings are refused before it starts anything. Returns the output of `exit`. */
async function run(line: string, exit: string) {
  const child = spawn("sh", ["-c", line], {
    cwd: root,
    env: {
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(exit)}`,
      NODE_ENV: "test",
      DATA_DIR: join(root, "node_modules/.cache/no-data"),
      PORT: "none",
    },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [printed] = await Promise.all([text(child.stdout), once(child, "close")]);
  return JSON.parse(printed);
}

const loaded = `
  import { registerHooks } from "node:module";
  const urls = [];
  registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) });
  process.on("exit", () => console.log(JSON.stringify(urls)));`;

test.each(commands)("npm run %s loads nothing that only a server needs", async (_, line) => {
  const urls: string[] = await run(line, loaded);
  expect(urls.filter((url) => url.includes("/server/boot/")).length).toBeGreaterThan(1);
  expect(urls.filter((url) => HEAVY.test(url))).toEqual([]);
});

const cpu = `
  process.on("exit", () => { const { user, system } = process.cpuUsage(); console.log(user + system); });`;

/** Returns the CPU time of a command: the minimum of some runs, because other load only adds to it. */
async function costOf(line: string) {
  const runs: number[] = [];
  for (let nth = 0; nth < 3; nth++) runs.push(await run(line, cpu));
  return Math.min(...runs);
}

test("a command starts with the compile cache of earlier ones, in less than two thirds of the time", async () => {
  const line = String(scripts.account);
  const plain = line.replace(/--import \S+ /, "");
  expect((await costOf(line)) / (await costOf(plain))).toBeLessThan(0.66);
});
