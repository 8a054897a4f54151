import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { expect, onTestFinished } from "vitest";
import { startTestCluster } from "../cluster.ts";
import { type Release, startProduction } from "../production.ts";
import { startCustomer } from "./customer.ts";

const CREDITS = 100_000;
/** Three web and three worker processes at a time. */
const MAX_CONNECTIONS = 300;

/** Returns how many migrations the sources of a release have. */
function migrationsOf({ tree }: Release): number {
  return JSON.parse(readFileSync(join(tree, "db/migrations/meta/_journal.json"), "utf8")).entries.length;
}

/**
 * Rolls a release out over another under load: the new one migrates and serves beside the old one, whose processes are
 * restarted on the migrated database, too, and are then stopped one by one. The last worker of the old one is killed.
 * Returns the processes and its customer, once all runs have ended.
 */
export async function rollOut(from: Release, to: Release) {
  const cluster = await startTestCluster({ maxConnections: MAX_CONNECTIONS, empty: true });
  onTestFinished(cluster.drop);
  const production = await startProduction({ databaseUrl: cluster.url, webs: 4 });
  const { balancer, ports, database, startWeb, startWorker } = production;
  const [first = 0, second = 0, third = 0, fourth = 0] = ports;
  const areHealthy = (expected: number[]) => expect.poll(() => balancer.healthy()).toEqual(expected);
  const ended = [0, null];
  const applied = () =>
    database.db.execute(sql`select count(*)::int as count from drizzle.__drizzle_migrations`);

  const old = {
    first: await startWeb(from, first),
    second: await startWeb(from, second),
    firstWorker: await startWorker("old-worker-1", from),
    secondWorker: await startWorker("old-worker-2", from),
  };
  await areHealthy([first, second]);
  expect(await applied()).toEqual([{ count: migrationsOf(from) }]);
  const { creditToken } = await production.createAccount(from, CREDITS);
  const customer = await startCustomer(balancer.origin, creditToken);
  await customer.untilServedBy([first, second]);

  await startWeb(to, third);
  await areHealthy([first, second, third]);
  expect(await applied()).toEqual([{ count: migrationsOf(to) }]);
  await customer.untilServedBy([first, second, third]);

  await startWorker("new-worker-1", to);
  expect(await old.firstWorker.stop()).toEqual(ended);
  await customer.untilServedBy([first, second, third]);

  expect(await old.second.stop()).toEqual(ended);
  await areHealthy([first, third]);
  old.second = await startWeb(from, second);
  await areHealthy([first, second, third]);
  await customer.untilServedBy([first, second, third]);

  expect(await old.first.stop()).toEqual(ended);
  await startWeb(to, fourth);
  await areHealthy([second, third, fourth]);
  await customer.untilServedBy([second, third, fourth]);

  await startWorker("new-worker-2", to);
  await old.secondWorker.stop("SIGKILL");
  await customer.untilServedBy([second, third, fourth]);

  expect(await old.second.stop()).toEqual(ended);
  await areHealthy([third, fourth]);
  await customer.untilServedBy([third, fourth]);
  await customer.stop();
  return { production, customer, credits: CREDITS };
}
