import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startSealer } from "#server/audit/seal-events.ts";
import { createHttpServer } from "#server/boot/http/http-server.ts";
import { makeSchedule, makeTasks } from "#server/jobs/tasks.ts";
import { startWorker } from "#server/jobs/worker.ts";
import { oauthRoutes } from "#server/oauth/routes.ts";
import { sandboxAccounts } from "#server/providers/chain/sandbox/accounts.ts";
import { tenantCluster } from "#server/providers/tenants/cluster.ts";
import { watchRun } from "#server/runs/watch-run.ts";
import { loadServices } from "#server/services/load-services.ts";
import { createHttpHandler, handleV1 } from "#server/transports/http.ts";
import { handleInbound } from "#server/triggers/inbound/handle-inbound.ts";
import { startDepositWatcher } from "#server/wallets/deposits/deposit-watcher.ts";
import { startTransactionEngine } from "#server/wallets/transactions/transaction-engine.ts";
import { TEST_MNEMONIC } from "../settings.ts";
import { startProcessPlatform } from "./start-process-platform.ts";

// The platform's API as a separate process with its sealer, for tests that kill it; prints its port.
// `node api-server.ts DATABASE_URL [BLOBS] [TENANTS_URL] [options]`: `--services FILE` is a manifest; `--chain JSON` a
// test's chain, on which the process settles payments; `--jobs` executes durable jobs; `--sends` sends for wallets; `--deposits` watches for their deposits;
// `--stuck-after-ms N` is when a transaction counts as stuck; `--base-url URL` another address than its own; `--port N`
// a fixed port; `--ahead-ms N` sets its clock ahead. SIGTERM stops it like a web process; with `--drains`, it keeps
// responding until a second one.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    services: { type: "string" },
    chain: { type: "string" },
    jobs: { type: "boolean" },
    sends: { type: "boolean" },
    deposits: { type: "boolean" },
    "stuck-after-ms": { type: "string", default: "30000" },
    "base-url": { type: "string" },
    port: { type: "string", default: "0" },
    "ahead-ms": { type: "string", default: "0" },
    drains: { type: "boolean" },
  },
});
const rightNow = Date.now;
Date.now = () => rightNow() + Number(values["ahead-ms"]);
const [url = "", folder = join(tmpdir(), "serve-blobs"), tenants] = positionals;
const { facilitator, treasury } = sandboxAccounts(TEST_MNEMONIC);
const platform = await startProcessPlatform(url, folder, {
  ...(values["base-url"] && { baseUrl: values["base-url"] }),
  ...(values.chain && {
    chains: [JSON.parse(values.chain)],
    payments: { facilitator, treasury: treasury.address },
  }),
  tenantClusters: tenants ? [tenantCluster("embedded", () => tenants)] : [],
  services: loadServices(values.services),
});
const stopListening = await platform.changes.listen(url);
startSealer(url);
const patience = { stuckAfterMs: Number(values["stuck-after-ms"]), resendAfterMs: 5000 };
if (values.sends) await startTransactionEngine({ url, directUrl: url, patience });
if (values.deposits) startDepositWatcher(url);
if (values.jobs) await startWorker({ url, tasks: makeTasks(platform), crontab: makeSchedule() });
const server = createHttpServer({
  baseUrl: platform.settings.baseUrl,
  handlers: {
    "/v1": handleV1,
    "/health": handleV1,
    "/in": handleInbound,
    "/watch": createHttpHandler([watchRun], { open: true }),
    ...oauthRoutes,
  },
});
console.log(await server.listen(Number(values.port), "127.0.0.1"));
process.once("SIGTERM", async () => {
  platform.streams.drain();
  server.retire();
  if (values.drains) await once(process, "SIGTERM");
  await server.close();
  await stopListening();
  process.exit(0);
});
