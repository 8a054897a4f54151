import { flushCompileCache } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeTasks } from "#server/jobs/tasks.ts";
import { startWorker } from "#server/jobs/worker.ts";
import { operations } from "#server/operations.ts";
import { startPlatform } from "#server/start-platform.ts";
import { startTransactionEngine } from "#server/wallets/transactions/transaction-engine.ts";
import { testSettings } from "./settings.ts";

// A worker for transactions, for jobs or for both, as a process of its own, for tests that kill it:
// `node transaction-worker.ts DATABASE_URL CHAIN sends|jobs|both`.
const [url = "", chain = "", work] = process.argv.slice(2);
const platform = await startPlatform(
  testSettings(join(tmpdir(), "worker-blobs"), { chains: [JSON.parse(chain)] }),
  url,
  operations,
);
if (work !== "jobs")
  await startTransactionEngine({
    url,
    directUrl: url,
    patience: { stuckAfterMs: 30_000, resendAfterMs: 300 },
  });
if (work !== "sends") await startWorker({ url, tasks: makeTasks(platform) });
// A process that is killed keeps nothing of what it compiled, and the next would compile it again.
flushCompileCache();
console.log("ready");
