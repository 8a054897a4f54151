import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bundlePrograms } from "./bundle-programs.ts";

interface Result {
  passed: number;
  /** The failed tests' names with their messages. */
  faults: string[];
}

interface VitestReport {
  numPassedTests: number;
  testResults: {
    name: string;
    status: string;
    /** Set if the file could not be loaded, so that no test ran. */
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
}

interface Suite {
  specs?: {
    file: string;
    line: number;
    title: string;
    tests: { status: string; results: { error?: { message?: string } }[] }[];
  }[];
  suites?: Suite[];
}

interface PlaywrightReport {
  stats: { expected: number };
  suites: Suite[];
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: "string" }, shard: { type: "string" } },
});
/**
 * Names of areas, as in `npm test -- wallets`: only test files whose path contains one of them are run. Empty means
 * all.
 */
const areas = positionals;
/** A part of all tests, for machines that share a run: `npm test -- --only units --shard 1/3`. */
const { only = "all", shard } = values;
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

/** Runs a check that is not a set of tests; it counts only if it fails. */
async function check(command: string, args: string[]): Promise<Result> {
  return { passed: 0, faults: (await run(command, args)) ? [] : [[command, ...args].join(" ")] };
}

/** Adds a fault if a tool failed without a failed test or a report. */
function atLeastOne(succeeded: boolean, tool: string, { passed, faults }: Result): Result {
  return { passed, faults: succeeded || faults.length > 0 ? faults : [tool] };
}

function listVitestFaults({ testResults }: VitestReport): string[] {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    if (status === "failed" && assertionResults.length === 0) return [`${name}\n${message}`];
    const failed = assertionResults.filter((one) => one.status === "failed");
    return failed.map(({ fullName, failureMessages }) => [name, fullName, ...failureMessages].join("\n"));
  });
}

async function runVitest(config: string, options: string[] = []): Promise<Result> {
  const path = join(folder, `${config}.json`);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${path}`];
  const succeeded = await run("vitest", [
    "run",
    "--config",
    `server/testing/${config}`,
    "--passWithNoTests",
    ...reporters,
    ...options,
    ...areas,
  ]);
  const report = readReport<VitestReport>(path);
  return atLeastOne(succeeded, `vitest --config ${config}`, {
    passed: report?.numPassedTests ?? 0,
    faults: report ? listVitestFaults(report) : [],
  });
}

function listPlaywrightFaults({ specs = [], suites = [] }: Suite): string[] {
  const own = specs.flatMap(({ file, line, title, tests }) =>
    tests
      .filter(({ status }) => status === "unexpected" || status === "flaky")
      .map(
        ({ results }) => `${file}:${line} ${title}\n${results.map(({ error }) => error?.message).join("\n")}`,
      ),
  );
  return [...own, ...suites.flatMap(listPlaywrightFaults)];
}

async function runPlaywright(): Promise<Result> {
  const path = join(folder, "playwright.json");
  const args = ["test", "--config", "e2e/playwright.config.ts", ...areas];
  const succeeded = await run("playwright", args, { PLAYWRIGHT_JSON_OUTPUT_FILE: path });
  const report = readReport<PlaywrightReport>(path);
  return atLeastOne(succeeded, "playwright", {
    passed: report?.stats.expected ?? 0,
    faults: report ? listPlaywrightFaults(report) : [],
  });
}

const hasFiles = (root: string, suffix: RegExp) =>
  readdirSync(root, { recursive: true, encoding: "utf8" }).some(
    (path) => suffix.test(path) && areas.some((area) => `${root}/${path}`.includes(area)),
  );

/** Test files that vitest.next.config.ts runs separately. */
const NEED_BUILD = ["server/boot/copy-runtime.test.ts", "server/boot/http/next-start.test.ts"];

/** The compiler's own default; more checkers than cores only repeat each other's work. */
const CHECKERS = Math.min(4, availableParallelism());

const build = () => check("node", ["server/boot/set-up.mjs", "build"]);

async function runUnits(): Promise<Result> {
  const removeBundles = await bundlePrograms();
  const result = await runVitest("vitest.config.ts", shard ? [`--shard=${shard}`] : []);
  removeBundles();
  delete process.env.TEST_PROGRAMS;
  return result;
}

const runThroughNext = () => runVitest("vitest.next.config.ts");
const runThroughPooler = () => runVitest("vitest.pooled.config.ts");
// The build comes first, because it generates the types of the routes that the compiler reads.
const checks = [
  () => check("biome", ["check", "."]),
  () => check("tsc", ["-p", ".", "--checkers", String(CHECKERS)]),
];
const parts: Record<string, (() => Promise<Result>)[]> = {
  all: [build, ...checks, runUnits, runThroughNext, runThroughPooler, runPlaywright],
  checks: [build, ...checks, runThroughNext, runThroughPooler],
  units: [runUnits],
  browser: [build, runPlaywright],
};
const some = [
  ...(["app", "components", "db", "server"].some((root) => hasFiles(root, /\.test\.tsx?$/))
    ? [runUnits]
    : []),
  ...(areas.some((area) => NEED_BUILD.some((path) => path.includes(area))) ? [build, runThroughNext] : []),
  ...(hasFiles("e2e", /\.spec\.ts$/) ? [build, runPlaywright] : []),
];
const steps = areas.length === 0 ? (parts[only] ?? []) : some;
if (steps.length === 0) {
  const found =
    areas.length === 0 ? `There is no part ${only}` : `No test's path contains ${areas.join(" or ")}`;
  const usages = ["AREA …", `--only ${Object.keys(parts).join("|")}`, "--only units --shard 1/3"];
  console.error(`${found}. Usage: npm test -- ${usages.join(" or ")}, e.g. npm test -- wallets`);
  process.exit(2);
}

let passed = 0;
const faults: string[] = [];
for (const step of steps) {
  const result = await step();
  passed += result.passed;
  faults.push(...result.faults);
}
rmSync(folder, { recursive: true, force: true });
// Repeated at the end of the output, which is often all that is read.
for (const [place, fault] of faults.entries()) console.log(`\nFAILED ${place + 1}: ${fault}`);
console.log(`\n${passed} passed, ${faults.length} failed`);
process.exit(faults.length === 0 ? 0 : 1);
