import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openPool } from "#db/client.ts";
import { CONNECTIONS, connectionsOf } from "#db/connections.ts";
import { startSealer } from "../audit/seal-events.ts";
import { readReceipt } from "../credits/receipts/read-receipt.ts";
import { readReceiptKeys } from "../credits/receipts/read-receipt-keys.ts";
import { readDownload } from "../downloads/read-download.ts";
import { type Env, readEnv } from "../env/read-env.ts";
import { SettingsError } from "../env/settings-error.ts";
import { makeSchedule, makeTasks } from "../jobs/tasks.ts";
import { startWorker } from "../jobs/worker.ts";
import { log } from "../log.ts";
import { handleAuth } from "../members/auth-handler.ts";
import { operations } from "../operations.ts";
import { startPlatform } from "../platform.ts";
import { startPriceKeeper } from "../prices/price-keeper.ts";
import { sandboxAccounts } from "../providers/chain/sandbox/accounts.ts";
import { startRunEngine } from "../runs/run-engine.ts";
import { loadServices } from "../services/load-services.ts";
import { startRelayer } from "../swaps/relayer/relayer.ts";
import { startOrderKeeper } from "../trading/order-keeper.ts";
import { createHttpHandler, handleV1 } from "../transports/http.ts";
import { handleMcp } from "../transports/mcp.ts";
import { handleSession } from "../transports/session.ts";
import { handleTrpc } from "../transports/trpc.ts";
import { startDepositWatcher } from "../wallets/deposits/deposit-watcher.ts";
import { startTransactionEngine } from "../wallets/transactions/transaction-engine.ts";
import { startWebhooks } from "../webhooks/worker.ts";
import { startChains } from "./chains.ts";
import { releaseMemory } from "./collect-garbage.ts";
import { checkConnections } from "./connections.ts";
import { createDoor } from "./door.ts";
import { openEngineGuard } from "./engine-guard.ts";
import { migrate } from "./migrate.ts";
import { startNext } from "./next.ts";
import { startPostgres } from "./postgres.ts";
import { checkPort } from "./processes.ts";
import { startTenantClusters } from "./tenant-clusters.ts";

type Stop = () => Promise<unknown> | unknown;

/** Who is paid and who settles: the sandbox's own accounts, unless the settings name others. */
function paymentsOf({ payments, sandboxMnemonic }: Env) {
  if (sandboxMnemonic === null) return payments;
  const { treasury, facilitator } = sandboxAccounts(sandboxMnemonic);
  return {
    treasury: payments.treasury ?? treasury.address,
    facilitator: payments.facilitator ?? facilitator,
  };
}

/** Starts what this process's role asks for; `stops` gets what undoes it, the last first. */
async function start(stops: Stop[]) {
  const env = readEnv();
  const services = loadServices(env.servicesFile);
  const web = env.role === "web" || env.role === "all";
  if (web) await checkPort(env.port);
  // Next.js needs no database to get ready, and takes longer than all the rest.
  const preparing = web ? startNext(env.baseUrl, env.port) : undefined;
  preparing?.catch(() => undefined);

  let databaseUrl = env.databaseUrl;
  const guard = env.sandbox ? openEngineGuard(env.dataDir, env.enginesWaitSeconds) : undefined;
  if (guard) stops.push(guard.close);
  if (!databaseUrl) {
    const cluster = await startPostgres({
      name: "platform",
      dataDir: join(env.dataDir, "postgres", "platform"),
      ...(guard && { guard }),
    });
    stops.push(cluster.stop);
    databaseUrl = cluster.url();
  }
  const directUrl = env.databaseDirectUrl ?? databaseUrl;
  const starting = [
    startTenantClusters(env, directUrl, stops, guard),
    startChains(env, directUrl, stops, guard),
    migrate(directUrl),
  ] as const;
  // Where one fails, what the others start is there to be stopped.
  await Promise.allSettled(starting);
  const [tenantClusters, chains] = await Promise.all(starting);
  await checkConnections(directUrl, connectionsOf(env.role));
  const platform = await startPlatform(
    { ...env, tenantClusters, chains, services, payments: paymentsOf(env) },
    databaseUrl,
    operations,
    directUrl,
  );
  stops.push(platform.close);
  const relayer = platform.chains.accounts()?.relayer;
  if (relayer && (env.role === "relayer" || env.role === "all"))
    stops.push(startRelayer({ directUrl, account: relayer }).stop);
  if (env.role === "worker" || env.role === "all") {
    const { liveness } = platform;
    const jobs = openPool(databaseUrl, CONNECTIONS.jobStatements, { writers: CONNECTIONS.jobTransactions });
    stops.push(jobs.close);
    const work = { tasks: makeTasks({ ...platform, database: jobs }), crontab: makeSchedule() };
    stops.push((await startWorker({ url: directUrl, liveness, ...work })).stop);
    stops.push((await startRunEngine({ url: databaseUrl, directUrl, liveness })).stop);
    stops.push((await startTransactionEngine({ url: databaseUrl, directUrl })).stop);
    stops.push(startDepositWatcher(databaseUrl).stop);
    stops.push(startSealer(directUrl).stop);
    stops.push(startPriceKeeper().stop);
    stops.push(startOrderKeeper().stop);
    stops.push(startWebhooks(platform, directUrl, liveness.name).stop);
  }
  const next = await preparing;
  if (!next) return console.log(`The ${env.role} is running.`);
  stops.push(await platform.changes.hear(directUrl));
  stops.push(next.close);
  const door = createDoor({
    baseUrl: env.baseUrl,
    lanes: {
      "/v1": handleV1,
      "/health": handleV1,
      "/openapi.json": handleV1,
      "/mcp": handleMcp,
      "/downloads": createHttpHandler([readDownload]),
      "/receipts": createHttpHandler([readReceipt]),
      "/.well-known/jwks.json": createHttpHandler([readReceiptKeys]),
      "/api/bytes": handleSession,
      "/api/trpc": handleTrpc,
      "/api/auth": handleAuth,
    },
    next: next.handle,
    webSockets: next.dev,
    trustedProxies: env.trustedProxies,
  });
  await door.listen(env.port);
  stops.push(door.close);
  console.log(`Open ${env.baseUrl}`);
}

async function stopAll(stops: Stop[]) {
  for (const stop of stops.toReversed()) {
    await Promise.resolve(stop()).catch((error) =>
      log.error("A part of the platform did not stop cleanly.", { error }),
    );
  }
}

function explain(error: NodeJS.ErrnoException & { port?: number }) {
  if (error instanceof SettingsError) return log.error(error.message);
  if (error.code === "EADDRINUSE")
    return log.error(`Port ${error.port} is taken by another process; end that one, or set PORT to another.`);
  log.error("The platform did not start.", { error });
}

if (existsSync(".env")) process.loadEnvFile();
const stops: Stop[] = [];
let stoppingSince: number | undefined;

async function stop(code: number) {
  // Asked again, it leaves at once, which harms nothing. Ctrl-C arrives twice: from the terminal and from npm.
  if (stoppingSince !== undefined) return Date.now() - stoppingSince > 1000 ? process.exit(130) : undefined;
  stoppingSince = Date.now();
  await Promise.race([stopAll(stops), sleep(30_000, undefined, { ref: false })]);
  process.exit(code);
}

process.on("SIGINT", () => void stop(0));
process.on("SIGTERM", () => void stop(0));
process.on("unhandledRejection", (error) =>
  log.error("A promise failed and nobody waited for it.", { error }),
);
process.on("uncaughtException", (error) => {
  log.error("The process failed and stops.", { error });
  void stop(1);
});

await start(stops).catch(async (error) => {
  explain(error);
  await stopAll(stops);
  process.exit(1);
});
releaseMemory();
