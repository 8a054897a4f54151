import { join } from "node:path";
import { startSealer } from "#server/audit/seal-events.ts";
import { createHttpServer } from "#server/boot/http/http-server.ts";
import { startWork } from "#server/boot/work.ts";
import { resumeStep } from "#server/callbacks/resume-step.ts";
import { handleAuth } from "#server/members/auth-handler.ts";
import { oauthRoutes } from "#server/oauth/routes.ts";
import { operations } from "#server/operations.ts";
import type { ChainSettings } from "#server/providers/chain/chains.ts";
import { tenantCluster } from "#server/providers/tenants/cluster.ts";
import { startPlatform } from "#server/start-platform.ts";
import { createHttpHandler, handleV1 } from "#server/transports/http.ts";
import { createTrpcHandler } from "#server/transports/trpc.ts";
import { handleInbound } from "#server/triggers/inbound/handle-inbound.ts";
import { testSettings } from "../settings.ts";

/** The arguments of a cell's process. */
export interface CellOptions {
  /** The cluster's address with the search path of the release's functions. */
  url: string;
  cell: string;
  /** The folder of the cells' blobs. */
  folder: string;
  port: number;
  /** The cell's own address. */
  origin: string;
  /** The numbers of the cell's secrets, the newest first. */
  numbers: string[];
  chains: ChainSettings[];
  /** The address of a mail server; without it, nothing is mailed. */
  smtp?: string | undefined;
  /** The address of the cluster of accounts' databases, which is named `embedded`. */
  tenants?: string | undefined;
  /** True if no worker runs; audit events are chained anyway. */
  idle?: boolean;
}

// Runs a cell's web and worker in one process: `node cell-process.ts OPTIONS` prints its port.
const options: CellOptions = JSON.parse(process.argv[2] ?? "");
const { url, cell, folder, port, origin, numbers, chains, smtp, tenants, idle } = options;
const secrets = numbers.map((number) => new Uint8Array(32).fill(Number(number)));
const platform = await startPlatform(
  testSettings(join(folder, "blobs"), {
    cell,
    baseUrl: origin,
    signupCredits: 10_000,
    chains,
    fingerprintSecrets: numbers as [string, ...string[]],
    authSecrets: numbers as [string, ...string[]],
    sealingKeys: secrets as [Uint8Array, ...Uint8Array[]],
    vault: { keys: () => secrets },
    mail: smtp ? { url: smtp, from: "platform@example.test" } : null,
    tenantClusters: tenants ? [tenantCluster("embedded", () => tenants)] : [],
  }),
  url,
  operations,
);
await platform.changes.listen(url);
if (idle) startSealer(url);
else await startWork(platform, { databaseUrl: url, directUrl: url }, []);
const server = createHttpServer({
  baseUrl: origin,
  handlers: {
    "/v1": handleV1,
    "/health": handleV1,
    "/in": handleInbound,
    "/resume": createHttpHandler([resumeStep]),
    ...oauthRoutes,
    "/api/trpc": createTrpcHandler(operations),
    "/api/auth": handleAuth,
  },
});
console.log(await server.listen(port, "127.0.0.1"));
