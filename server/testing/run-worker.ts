import { flushCompileCache } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { operations } from "#server/operations.ts";
import { startRunEngine } from "#server/runs/run-engine.ts";
import { loadServices } from "#server/services/load-services.ts";
import { startPlatform } from "#server/start-platform.ts";
import { scriptedService } from "./scripted-runs.ts";
import { testSettings } from "./settings.ts";

// A worker for runs as a separate process, for tests that kill it: `node run-worker.ts DATABASE_URL BLOBS SLOTS
// [--services FILE] [--kill-at BOUNDARY] [--freeze-at BOUNDARY]`, with a manifest's services. At a boundary it kills or
// suspends itself.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { services: { type: "string" }, "kill-at": { type: "string" }, "freeze-at": { type: "string" } },
});
const [url = "", folder = join(tmpdir(), "worker-blobs"), slots = "1"] = positionals;
const platform = await startPlatform(
  testSettings(folder, { services: [scriptedService({ mayKill: true }), ...loadServices(values.services)] }),
  url,
  operations,
);
const { liveness } = platform;
const engine = await startRunEngine({
  url,
  directUrl: url,
  liveness,
  slots: Number(slots),
  perAccount: Number(slots),
  reached(boundary) {
    if (boundary === values["kill-at"]) process.kill(process.pid, "SIGKILL");
    if (boundary === values["freeze-at"]) process.kill(process.pid, "SIGSTOP");
  },
});
process.on("SIGTERM", async () => {
  await engine.stop();
  await platform.close();
  process.exit(0);
});
// Flushed at once, because a killed process would lose its compile cache.
flushCompileCache();
console.log(liveness.name);
