import { openPool } from "#db/client.ts";
import { CONNECTIONS } from "#db/connections.ts";
import { startSealer } from "../audit/seal-events.ts";
import { makeSchedule, makeTasks } from "../jobs/tasks.ts";
import { startWorker } from "../jobs/worker.ts";
import type { Platform } from "../platform.ts";
import { watchPrices } from "../prices/watch-prices.ts";
import { startRunEngine } from "../runs/run-engine.ts";
import { watchOrders } from "../trading/watch-orders.ts";
import { startTriggerEngine } from "../triggers/trigger-engine.ts";
import { startDepositWatcher } from "../wallets/deposits/deposit-watcher.ts";
import { startTransactionEngine } from "../wallets/transactions/transaction-engine.ts";
import { startWebhooks } from "../webhooks/worker.ts";
import type { Engines } from "./engines/engines.ts";
import type { Stop } from "./run-process.ts";

/**
 * Starts the work beyond requests: jobs, runs, transactions, deliveries; adds its ends to `stops`, which run in reverse
 * order.
 */
export async function startWork(
  platform: Platform,
  { databaseUrl, directUrl }: Pick<Engines, "databaseUrl" | "directUrl">,
  stops: Stop[],
): Promise<void> {
  const { liveness } = platform;
  const jobs = openPool(databaseUrl, CONNECTIONS.jobStatements, {
    writers: CONNECTIONS.jobTransactions,
    pooled: directUrl !== databaseUrl,
  });
  stops.push(jobs.close);
  const work = { tasks: makeTasks({ ...platform, database: jobs }), crontab: makeSchedule() };
  stops.push((await startWorker({ url: directUrl, liveness, ...work })).stop);
  stops.push((await startRunEngine({ url: databaseUrl, directUrl, liveness })).stop);
  stops.push((await startTriggerEngine({ url: databaseUrl, liveness })).stop);
  stops.push((await startTransactionEngine({ url: databaseUrl, directUrl })).stop);
  stops.push(startDepositWatcher(databaseUrl, directUrl).stop);
  stops.push(startSealer(directUrl).stop);
  stops.push(watchPrices().stop);
  stops.push(watchOrders().stop);
  stops.push(startWebhooks(platform, directUrl, liveness.name).stop);
}
