import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeTasks } from "#server/jobs/tasks.ts";
import { startWorker } from "#server/jobs/worker.ts";
import { startTransactionEngine } from "#server/wallets/transactions/transaction-engine.ts";
import { startProcessPlatform } from "./start-process-platform.ts";

// A worker for transactions, jobs or both as a separate process, for tests that kill it:
// `node transaction-worker.ts DATABASE_URL CHAIN sends|jobs|both`.
const [url = "", chain = "", work] = process.argv.slice(2);
const platform = await startProcessPlatform(url, join(tmpdir(), "worker-blobs"), {
  chains: [JSON.parse(chain)],
});
if (work !== "jobs")
  await startTransactionEngine({
    url,
    directUrl: url,
    patience: { stuckAfterMs: 30_000, resendAfterMs: 300 },
  });
if (work !== "sends") await startWorker({ url, tasks: makeTasks(platform) });
console.log("ready");
