import { spawn } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defined } from "#server/base/defined.ts";
import { copyTree } from "../copy-tree.ts";
import { mutated, type Proof } from "./mutation.ts";
import { CONTROL, MUTATIONS } from "./mutations.ts";

// `npm run mutations [-- NAME …]` puts faults into a copy of the sources, one at a time, and runs the torture or the
// fuzz with the seed and budget that the mutation names, or the tests. A fault that is not found reveals a weak proof.
const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** After this time, a test that a fault keeps from ending has failed. */
const HANGS_MS = 90_000;

interface Result {
  seconds: number;
  /** The faults found; null if the proof did not complete. */
  faults: string[] | null;
  output: string;
}

/** A run of vitest: its arguments and environment. */
interface Run {
  arguments: string[];
  settings: Record<string, string | undefined>;
}

function runOf(proof: Proof, report: string): Run {
  switch (proof.by) {
    case "torture":
      return {
        arguments: ["server/testing/torture"],
        settings: {
          TORTURE_SECONDS: String(proof.seconds),
          TORTURE_SEED: String(proof.seed),
          TORTURE_AREAS: proof.areas?.join(","),
          TORTURE_FAULTS: proof.faults?.join(","),
          PROOF_REPORT: report,
        },
      };
    case "fuzz":
      return {
        arguments: ["server/testing/fuzz"],
        settings: {
          FUZZ_REQUESTS: String(proof.requests),
          FUZZ_SEED: String(proof.seed),
          FUZZ_OPERATIONS: proof.operations?.join(","),
          PROOF_REPORT: report,
        },
      };
    case "tests":
      return {
        arguments: [
          proof.file,
          ...(proof.named ? ["--testNamePattern", `^${proof.named}`] : []),
          `--testTimeout=${HANGS_MS}`,
          `--hookTimeout=${HANGS_MS}`,
          "--reporter=json",
          `--outputFile=${report}`,
        ],
        settings: {},
      };
  }
}

function prove(tree: string, proof: Proof): Promise<Result> {
  const report = join(tree, "proof.json");
  rmSync(report, { force: true });
  const run = runOf(proof, report);
  const started = performance.now();
  const vitest = ["--no-install", "vitest", "run", "--config", "server/testing/vitest.config.ts"];
  const child = spawn("npx", [...vitest, ...run.arguments], {
    cwd: tree,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...run.settings },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
  return new Promise((done) =>
    child.once("close", (code) => {
      const seconds = Math.round((performance.now() - started) / 1000);
      const faults = proof.by === "tests" ? readFailedTests(report) : readReport(report, code);
      done({ seconds, faults, output });
    }),
  );
}

function readReport(path: string, code: number | null): string[] | null {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return code === 0 ? [] : null;
  }
}

/** Returns the tests that failed; null if none ran. */
function readFailedTests(path: string): string[] | null {
  if (!existsSync(path)) return null;
  const { testResults } = JSON.parse(readFileSync(path, "utf8")) as {
    testResults: { assertionResults: { status: string; fullName: string; failureMessages: string[] }[] }[];
  };
  const ran = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === "passed" || status === "failed");
  if (ran.length === 0) return null;
  return ran
    .filter(({ status }) => status === "failed")
    .map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages.join(" ")}`);
}

const names = process.argv.slice(2);
const known = [...CONTROL, ...MUTATIONS];
const unknown = names.find((name) => !known.some((one) => one.name === name));
if (unknown) {
  console.error(`No mutation is called ${unknown}. There are: ${known.map(({ name }) => name).join(", ")}.`);
  process.exit(2);
}
const chosen = known.filter(({ name }) => names.length === 0 || names.includes(name));
mkdirSync(join(ROOT, ".data"), { recursive: true });
const tree = mkdtempSync(join(ROOT, ".data", "mutations-"));
copyTree(ROOT, tree, copyFileSync);

let wrong = 0;
for (const { name, proof, changes = [] } of chosen) {
  const isControl = changes.length === 0;
  const files = [...new Set(changes.map(({ file }) => file))];
  const sources = files.map((file) => readFileSync(join(tree, file), "utf8"));
  for (const [nth, file] of files.entries())
    writeFileSync(join(tree, file), mutated(file, defined(sources[nth]), changes));
  const { seconds, faults, output } = await prove(tree, proof);
  for (const [nth, file] of files.entries()) writeFileSync(join(tree, file), defined(sources[nth]));
  const verdict =
    faults === null
      ? "BROKE OFF"
      : isControl
        ? faults.length > 0
          ? "NOT CLEAN"
          : "clean"
        : faults.length > 0
          ? "caught"
          : "SURVIVED";
  if (verdict !== "clean" && verdict !== "caught") wrong += 1;
  console.log(`${verdict.padEnd(9)} ${name}, ${proof.by}, ${seconds} s`);
  for (const fault of (faults ?? []).slice(0, 3))
    console.log(`          ${fault.slice(0, 300).replaceAll("\n", " ")}`);
  if (faults === null) console.log(output.slice(-3000));
}
rmSync(tree, { recursive: true, force: true });
console.log(
  wrong === 0
    ? `All ${chosen.length} as they should be.`
    : `${wrong} of ${chosen.length} are not as they should be.`,
);
process.exit(wrong === 0 ? 0 : 1);
