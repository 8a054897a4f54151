import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Database, openDatabase } from "#db/client.ts";
import { accounts } from "#db/schema/accounts.ts";
import { newId } from "#server/base/ids.ts";
import { grantCredits } from "#server/credits/post-credits.ts";
import { type Env, readEnv } from "#server/env/read-env.ts";
import { createCreditToken } from "#server/keys/credit-tokens.ts";
import type { OperatorService } from "#server/services/manifest.ts";
import { startTestChain, type TestChain } from "#server/testing/chain.ts";
import { startTestCluster } from "#server/testing/cluster.ts";
import { startNetwork } from "#server/testing/network.ts";
import { TEST_MNEMONIC } from "#server/testing/settings.ts";
import { startTenantCluster } from "#server/testing/tenants.ts";
import { startProcess } from "./process.ts";

const STOP_MS = 20_000;
const BLOCK_MS = 1000;

interface InstallationOptions {
  services: readonly OperatorService[];
  /** The URL of the agents' model. */
  modelUrl: string;
  /** Called with failures that no applied fault explains. */
  report(fault: string): void;
}

/** Mines a block regularly, as on any chain, because transactions only become final with later blocks. */
function mineRegularly({ mine }: Pick<TestChain, "mine">): NodeJS.Timeout {
  let mining = false;
  return setInterval(() => {
    if (mining) return;
    mining = true;
    void mine()
      .catch(() => undefined)
      .finally(() => {
        mining = false;
      });
  }, BLOCK_MS);
}

/**
 * Starts two web and two worker processes of the product, on database servers of their own behind networks that can be
 * cut.
 */
export async function startInstallation({ services, modelUrl, report }: InstallationOptions) {
  const folder = mkdtempSync(join(tmpdir(), "torture-"));
  const servicesFile = join(folder, "services.json");
  writeFileSync(servicesFile, JSON.stringify({ services }));
  const [cluster, tenants, chain, farChain] = await Promise.all([
    // Details say which statements a deadlock was between.
    startTestCluster({ maxConnections: 200, settings: { log_error_verbosity: "default" } }),
    startTenantCluster(),
    startTestChain(),
    startTestChain({ chainId: 31338 }),
  ]);
  // A chain's own cleanup runs with a file; these were started in a test.
  onTestFinished(async () => void (await Promise.all([chain.kill(), farChain.kill()])));
  await chain.fund(chain.accounts.facilitator.address, { eth: "100" });
  const clocks = [chain, farChain].map(mineRegularly);
  onTestFinished(() => clocks.forEach(clearInterval));
  const settings = {
    DATA_DIR: join(folder, "data"),
    BASE_URL: "http://platform.test",
    SERVICES_FILE: servicesFile,
    SANDBOX_MNEMONIC: TEST_MNEMONIC,
    MODEL_BASE_URL: modelUrl,
    MODEL_NAME: "scripted",
    STORAGE_FILES_MB: "1",
  };
  const env: Env = readEnv(settings);
  const database: Database = openDatabase(cluster.url);

  async function launch(part: "web" | "worker", number: number) {
    const name = `${part}-${number}`;
    const [network, tenantNetwork, chainNetwork, farNetwork] = await Promise.all([
      startNetwork(() => cluster.url),
      startNetwork(() => tenants.url()),
      startNetwork(() => chain.settings.rpcUrl),
      startNetwork(() => farChain.settings.rpcUrl),
    ]);
    const process = startProcess({
      part,
      name,
      engines: {
        databaseUrl: network.url(),
        directUrl: network.url(),
        embeddedTenants: tenantNetwork.url(),
        chains: [
          { ...chain.settings, rpcUrl: chainNetwork.url() },
          { ...farChain.settings, rpcUrl: farNetwork.url() },
        ],
      },
      env: settings,
      logFile: join(folder, `${name}.log`),
      onEnd: report,
    });
    const networks = {
      "the database": network,
      "the tenants": tenantNetwork,
      "the chain": chainNetwork,
      "the far chain": farNetwork,
    };
    return { name, process, networks };
  }

  const webs = [await launch("web", 1), await launch("web", 2)];
  const workers = [await launch("worker", 1), await launch("worker", 2)];
  const all = [...webs, ...workers].map(({ process }) => process);

  return {
    folder,
    env,
    database,
    cluster,
    tenants,
    chain,
    farChain,
    webs: webs.map(({ process }) => process),
    workers: workers.map(({ process }) => process),
    /** Returns the programs that its processes ran when they were killed or stopped. */
    programs: () =>
      all.flatMap(({ name, programs }) => [...programs].map(([pid, command]) => ({ name, pid, command }))),
    networks: new Map([...webs, ...workers].map(({ name, networks }) => [name, networks])),
    async untilReady() {
      await Promise.all(all.map((process) => process.untilReady()));
    },
    /** Creates an account with these credits; returns the token for its first key. */
    async createAccount(name: string, credits: number) {
      const accountId = newId("account");
      const description = "To be tortured with";
      const creditToken = await database.db.transaction(async (tx) => {
        await tx.insert(accounts).values({ id: accountId, name });
        if (credits > 0) await grantCredits(tx, { accountId, credits, reference: "torture", description });
        return createCreditToken(tx, accountId);
      });
      return { accountId, creditToken };
    },
    /** Stops everything; returns the names of processes that did not stop by themselves. */
    async stop(): Promise<string[]> {
      const stopped = await Promise.all(
        all.map(async (process) => (await process.stop(STOP_MS)) || process.name),
      );
      return stopped.filter((name) => name !== true) as string[];
    },
    async drop({ keepLogs }: { keepLogs: boolean }) {
      await database.close();
      await Promise.all([cluster.drop(), tenants.drop()]);
      if (!keepLogs) rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type Installation = Awaited<ReturnType<typeof startInstallation>>;
