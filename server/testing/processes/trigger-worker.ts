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

// Imported only now, so that every module sees the wrong clock.
const { startTriggerEngine } = await import("#server/triggers/trigger-engine.ts");
const { startProcessPlatform, stopAt } = await import("./start-process-platform.ts");
const { liveness } = await startProcessPlatform(url, folder);
await startTriggerEngine({ url, liveness, reached: stopAt(values) });
console.log(liveness.name);
