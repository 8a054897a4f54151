import { tmpdir } from "node:os";
import { join } from "node:path";
import { operations } from "#server/operations.ts";
import { startPlatform } from "#server/platform.ts";
import { startTransactionEngine } from "#server/wallets/transactions/transaction-engine.ts";
import { testSettings } from "./settings.ts";

// A worker for transactions as a process of its own, for tests that kill it: `node transaction-worker.ts DATABASE_URL CHAIN`.
const [url = "", chain = ""] = process.argv.slice(2);
await startPlatform(
  testSettings(join(tmpdir(), "worker-blobs"), { chains: [JSON.parse(chain)] }),
  url,
  operations,
);
await startTransactionEngine({
  ...{ url, directUrl: url },
  patience: { stuckAfterMs: 30_000, resendAfterMs: 300 },
});
console.log("ready");
