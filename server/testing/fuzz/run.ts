import { spawn } from "node:child_process";
import { parseArgs } from "node:util";

// `npm run fuzz [-- --requests N --seed S --operations A,B]` sends requests to all operations of the document, or to
// these, over HTTP and by tools, and prints each broken promise. The same seed generates the same requests.
const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "100000" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 31)) },
    operations: { type: "string" },
  },
});
const numbers = { FUZZ_REQUESTS: values.requests, FUZZ_SEED: values.seed };
for (const [name, value] of Object.entries(numbers)) {
  if (/^\d{1,9}$|^[12]\d{9}$/.test(value)) continue;
  console.error(`${name} is a whole number, not ${value}. Usage: npm run fuzz -- --requests N --seed S`);
  process.exit(2);
}
const vitest = ["vitest", "run", "--config", "server/testing/vitest.config.ts", "server/testing/fuzz"];
const child = spawn("npx", ["--no-install", ...vitest], {
  stdio: "inherit",
  env: { ...process.env, ...numbers, ...(values.operations && { FUZZ_OPERATIONS: values.operations }) },
});
child.once("exit", (code) => process.exit(code ?? 1));
