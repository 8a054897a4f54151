import { parseArgs } from "node:util";

// A worker for triggers as a separate process: `node trigger-worker.ts DATABASE_URL BLOBS [--kill-at BOUNDARY] [--ahead
// MILLISECONDS]`. It kills itself at the boundary, and its clock may be wrong.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { "kill-at": { type: "string" }, ahead: { type: "string", default: "0" } },
});
const [url = "", folder = ""] = positionals;
const ahead = Number(values.ahead);
const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...parts: [] | [number]) {
    super(...((parts.length > 0 ? parts : [RealDate.now() + ahead]) as [number]));
  }
  static override now() {
    return RealDate.now() + ahead;
  }
} as DateConstructor;

const { operations } = await import("#server/operations.ts");
const { startPlatform } = await import("#server/start-platform.ts");
const { startTriggerEngine } = await import("#server/triggers/trigger-engine.ts");
const { testSettings } = await import("./settings.ts");
const { liveness } = await startPlatform(testSettings(folder), url, operations);
await startTriggerEngine({
  url,
  liveness,
  reached(boundary) {
    if (boundary === values["kill-at"]) process.kill(process.pid, "SIGKILL");
  },
});
console.log(liveness.name);
