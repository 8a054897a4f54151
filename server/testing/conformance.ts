import { type ChildProcess, execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

const CLI = createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/dist/index.js");

/** The prefixes of the folders with a command's results. */
const PREFIX = { server: "server-", authorization: "authorization-server-" };

/**
 * Runs a command of the protocol's conformance suite; returns the statuses of each scenario's checks. `attend` gets the
 * process while it runs.
 */
export async function runConformance(
  command: keyof typeof PREFIX,
  options: string[],
  attend: (suite: ChildProcess) => unknown = () => undefined,
) {
  const folder = await mkdtemp(join(tmpdir(), "mcp-conformance-"));
  await new Promise((done) => {
    attend(execFile(process.execPath, [CLI, command, ...options, "--output-dir", folder], done));
  });
  const scenarios = new Map<string, string[]>();
  for (const name of await readdir(folder)) {
    const checks: { status: string }[] = JSON.parse(
      await readFile(join(folder, name, "checks.json"), "utf8"),
    );
    const scenario = name.slice(PREFIX[command].length).replace(/-\d{4}-\d\d-\d\dT.*$/, "");
    scenarios.set(
      scenario,
      checks.map(({ status }) => status),
    );
  }
  await rm(folder, { recursive: true });
  return scenarios;
}
