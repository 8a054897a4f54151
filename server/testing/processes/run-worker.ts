import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startRunEngine } from "#server/runs/run-engine.ts";
import { loadServices } from "#server/services/load-services.ts";
import { scriptedService } from "../scripted-runs.ts";
import { startProcessPlatform, stopAt } from "./start-process-platform.ts";

// A worker for runs as a separate process, for tests that kill it: `node run-worker.ts DATABASE_URL BLOBS SLOTS
// [--services FILE] [--kill-at BOUNDARY] [--freeze-at BOUNDARY]`, with a manifest's services. At a boundary it kills or
// suspends itself.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { services: { type: "string" }, "kill-at": { type: "string" }, "freeze-at": { type: "string" } },
});
const [url = "", folder = join(tmpdir(), "worker-blobs"), slots = "1"] = positionals;
const platform = await startProcessPlatform(url, folder, {
  services: [scriptedService({ mayKill: true }), ...loadServices(values.services)],
});
const { liveness } = platform;
const engine = await startRunEngine({
  url,
  directUrl: url,
  liveness,
  slots: Number(slots),
  perAccount: Number(slots),
  reached: stopAt(values),
});
process.on("SIGTERM", async () => {
  await engine.stop();
  await platform.close();
  process.exit(0);
});
console.log(liveness.name);
