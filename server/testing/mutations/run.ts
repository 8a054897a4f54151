import { spawn } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defined } from "#server/base/defined.ts";
import { copyTree } from "../copy-tree.ts";
import { mutated, type Proof } from "./mutation.ts";
import { CONTROL, MUTATIONS } from "./mutations.ts";

// `npm run mutations [-- NAME …]` puts faults into a copy of the sources, one at a time, and runs the torture or the
// fuzz with the seed and budget that the mutation names. A fault that is not found reveals a weak proof.
const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

interface Result {
  seconds: number;
  /** The faults found; null if the proof did not complete. */
  faults: string[] | null;
  output: string;
}

function prove(tree: string, proof: Proof): Promise<Result> {
  const report = join(tree, "proof.json");
  rmSync(report, { force: true });
  const folder = proof.by === "torture" ? "server/testing/torture" : "server/testing/fuzz";
  const settings: Record<string, string | undefined> =
    proof.by === "torture"
      ? {
          TORTURE_SECONDS: String(proof.seconds),
          TORTURE_SEED: String(proof.seed),
          TORTURE_AREAS: proof.areas?.join(","),
          TORTURE_FAULTS: proof.faults?.join(","),
        }
      : {
          FUZZ_REQUESTS: String(proof.requests),
          FUZZ_SEED: String(proof.seed),
          FUZZ_OPERATIONS: proof.operations?.join(","),
        };
  const started = performance.now();
  const vitest = ["--no-install", "vitest", "run", "--config", "server/testing/vitest.config.ts", folder];
  const child = spawn("npx", vitest, {
    cwd: tree,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...settings, PROOF_REPORT: report },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
  return new Promise((done) =>
    child.once("close", (code) => {
      const seconds = Math.round((performance.now() - started) / 1000);
      done({ seconds, faults: readReport(report, code), output });
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
