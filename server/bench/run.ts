import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startPostgres } from "../boot/engines/postgres.ts";
import { migrate } from "../boot/migrate.ts";
import { plotGrowth } from "./growth-plot.ts";
import { CONNECTIONS, measurePipeline } from "./pipeline.ts";
import * as report from "./report.ts";

// Measures the platform relative to its components, in one run on one machine: only the ratios are meaningful. The CPU
// time of a request is reported beside the rates, since a busy machine affects it less. `npm run bench -- runs quotes`
// measures only these parts.
const parts = {
  pipeline: async () => report.reportPipeline(CONNECTIONS, await measurePipeline(cluster)),
  webhooks: () => report.reportWebhooks(measure("webhooks.ts")),
  runs: () => report.reportRuns(measure("runs.ts")),
  events: () => report.reportEvents(measure("events.ts")),
  ticks: () => report.reportTicks(measure("ticks.ts")),
  inbound: () => report.reportInbound(measure("inbound.ts")),
  claims: () => report.reportClaims(measure("claims.ts")),
  transactions: () => report.reportTransactions(measure("transactions.ts")),
  files: () => report.reportFiles(measure("files.ts")),
  databases: () => report.reportDatabases(measure("databases.ts")),
  large: () => report.reportLarge(measure("large.ts")),
  sdk: () => report.reportSdk(measure("sdk.ts")),
  telemetry: () => report.reportTelemetry(measure("telemetry.ts")),
  streams: () => report.reportStreams({ ...measure("streams.ts"), ...measure("first-text.ts") }),
  cells: () => report.reportCells(measure("cells.ts")),
  growth: () => {
    const growth = measure("growth.ts");
    report.reportGrowth(growth);
    writeFileSync(new URL("../../docs/growth.svg", import.meta.url), plotGrowth(growth));
  },
  neighbours: () => report.reportNeighbours(measure("neighbours.ts")),
  quotes: () => report.reportQuotes(measure("quotes.ts")),
  console: () => report.reportConsole(measureConsole()),
};

const isPart = (name: string): name is keyof typeof parts => Object.hasOwn(parts, name);
const named = process.argv.slice(2);
const unknown = named.filter((name) => !isPart(name));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(", ")}. Name some of ${Object.keys(parts).join(", ")}.`);
  process.exit(1);
}

/** The output of a script that measures in a process of its own. */
function measure(script: string) {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const { status, stdout } = spawnSync(process.execPath, [path, cluster.url()], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) throw new Error(`${script} ended with ${status}.`);
  return JSON.parse(stdout);
}

/** Measures the console in a browser, with a server of its own. */
function measureConsole() {
  const written = join(folder, "console.json");
  const { status } = spawnSync(
    "npx",
    ["--no-install", "playwright", "test", "--config", "e2e/bench.config.ts"],
    { stdio: "inherit", env: { ...process.env, BENCH_REPORT: written } },
  );
  if (status !== 0) throw new Error(`The console's measurement ended with ${status}.`);
  return JSON.parse(readFileSync(written, "utf8"));
}

const folder = mkdtempSync(join(tmpdir(), "managed-services-bench-"));
const cluster = await startPostgres({
  name: "platform",
  dataDir: join(folder, "postgres"),
  maxConnections: 200,
});
try {
  await migrate(cluster.url());
  for (const name of named.length > 0 ? named.filter(isPart) : Object.keys(parts).filter(isPart))
    await parts[name]();
} finally {
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
}
