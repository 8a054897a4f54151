import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

interface Counts {
  passed: number;
  failed: number;
}

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  /** A file that could not even be loaded has failed without any test. */
  testResults: { status: string; assertionResults: unknown[] }[];
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number };
  errors: unknown[];
}

const folder = mkdtempSync(join(tmpdir(), "test-reports-"));

function run(command: string, args: string[], env: Record<string, string> = {}) {
  console.log(`\n> ${command} ${args.join(" ")}`);
  return new Promise<boolean>((done) => {
    const child = spawn(command, args, { stdio: "inherit", env: { ...process.env, ...env } });
    child.once("error", () => done(false));
    child.once("exit", (code) => done(code === 0));
  });
}

function readReport<T>(path: string) {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as T;
  } catch {
    return undefined;
  }
}

/** A check that is one thing: it counts only where it fails. */
async function check(command: string, args: string[]): Promise<Counts> {
  return { passed: 0, failed: (await run(command, args)) ? 0 : 1 };
}

/** A tool that failed without a failed test, or without a report, counts as one failure. */
function atLeastOne(succeeded: boolean, { passed, failed }: Counts): Counts {
  return { passed, failed: succeeded ? failed : Math.max(failed, 1) };
}

async function runVitest() {
  const report = join(folder, "vitest.json");
  const args = [
    "run",
    "--config",
    "server/testing/vitest.config.ts",
    "--reporter=default",
    "--reporter=json",
  ];
  const succeeded = await run("vitest", [...args, `--outputFile.json=${report}`]);
  const { numPassedTests = 0, numFailedTests = 0, testResults = [] } = readReport<VitestReport>(report) ?? {};
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
  );
  return atLeastOne(succeeded, { passed: numPassedTests, failed: numFailedTests + broken.length });
}

async function runPlaywright() {
  const report = join(folder, "playwright.json");
  const args = ["test", "--config", "e2e/playwright.config.ts", "--reporter=list,json"];
  const succeeded = await run("playwright", args, { PLAYWRIGHT_JSON_OUTPUT_FILE: report });
  const { expected = 0, unexpected = 0, flaky = 0 } = readReport<PlaywrightReport>(report)?.stats ?? {};
  return atLeastOne(succeeded, { passed: expected, failed: unexpected + flaky });
}

const steps = [
  // First, since it writes the types of the routes that the compiler reads.
  () => check("node", ["server/boot/set-up.mjs", "build"]),
  () => check("biome", ["check", "."]),
  () => check("tsc", ["-p", "."]),
  runVitest,
  runPlaywright,
];

const total: Counts = { passed: 0, failed: 0 };
for (const step of steps) {
  const { passed, failed } = await step();
  total.passed += passed;
  total.failed += failed;
}
rmSync(folder, { recursive: true, force: true });
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);
