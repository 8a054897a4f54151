import { spawn } from "node:child_process";
import { parseArgs } from "node:util";

// `npm run torture [-- --minutes N --seed S --areas A,B --faults C,D]`: processes, databases and networks fail while
// many callers use all areas. Prints each broken promise; the same seed makes the same calls and faults again, though
// not at the same moments.
const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 31)) },
    areas: { type: "string" },
    faults: { type: "string" },
  },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed);
if (!(minutes > 0 && minutes <= 10_000) || !Number.isSafeInteger(seed)) {
  console.error("Usage: npm run torture -- --minutes N --seed S, S being a whole number");
  process.exit(2);
}
const vitest = ["vitest", "run", "--config", "server/testing/vitest.config.ts", "server/testing/torture"];
const child = spawn("npx", ["--no-install", ...vitest], {
  stdio: "inherit",
  env: {
    ...process.env,
    TORTURE_SECONDS: String(minutes * 60),
    TORTURE_SEED: String(seed),
    ...(values.areas && { TORTURE_AREAS: values.areas }),
    ...(values.faults && { TORTURE_FAULTS: values.faults }),
  },
});
child.once("exit", (code) => process.exit(code ?? 1));
