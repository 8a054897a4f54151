import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { startPostgres } from "../boot/engines/postgres.ts";
import { listClusterFolders, newClusterFolder } from "./cluster-folder.ts";
import { guardProcess } from "./guard-process.ts";
import { migrateTemplate } from "./migrate-template.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The URL of the cluster's own database, used to create and drop databases. */
    postgresUrl: string;
    /** The name of the migrated database from which each test file's database is cloned. */
    templateDatabase: string;
  }
}

/** The allowed connection attempts of a process that is just ending to a dropped database. */
const LATE_CONNECTIONS = 20;

function isRunning(pid: number) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Removes the clusters of killed test runs. */
function sweep() {
  for (const { folder, owner } of listClusterFolders()) {
    if (isRunning(owner)) continue;
    for (const cluster of readdirSync(folder)) {
      try {
        const file = join(folder, cluster, "postmaster.pid");
        process.kill(Number(readFileSync(file, "utf8").split("\n")[0]), "SIGQUIT");
      } catch {
        // It is not a cluster, or has ended already.
      }
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Fails if processes keep connecting to the database of an ended test file, which slows down all later files. */
function refuseLeftovers(log: string) {
  const times = new Map<string, number>();
  for (const [, name = ""] of readFileSync(log, "utf8").matchAll(/database "(test_\w+)" does not exist/g))
    times.set(name, (times.get(name) ?? 0) + 1);
  const left = [...times].filter(([, count]) => count > LATE_CONNECTIONS);
  if (left.length === 0) return;
  const list = left.map(([name, count]) => `${name} (${count} connections)`).join(", ");
  throw new Error(`Test files did not stop the work that they had started on their databases: ${list}.`);
}

/** Starts a temporary PostgreSQL for the whole test run, with one migrated database. */
export async function startSharedCluster() {
  sweep();
  const folder = newClusterFolder();
  // The processes that tests start load the same modules repeatedly, in this run and in the next.
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
    new URL("../../node_modules/.cache/compiled", import.meta.url),
  );
  const quick = `--import ${new URL("../boot/quick-imports.mjs", import.meta.url)}`;
  process.env.NODE_OPTIONS = [process.env.NODE_OPTIONS, quick].filter(Boolean).join(" ");
  process.env.CLUSTER_TEMPLATES = join(folder, "templates");
  const cluster = await startPostgres({
    name: "platform",
    dataDir: join(folder, "platform"),
    throwAway: true,
    // Each file's platform uses up to a dozen connections, and so does each process that it starts.
    maxConnections: 300,
  });
  guardProcess(cluster.pid, "INT QUIT");
  await migrateTemplate(cluster.url());
  async function stop() {
    try {
      refuseLeftovers(join(folder, "platform.log"));
    } finally {
      await cluster.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return { url: cluster.url, stop };
}

/** Provides test files with the cluster and the template of their databases. */
export default async function setup(project: TestProject) {
  const { url, stop } = await startSharedCluster();
  project.provide("postgresUrl", url("postgres"));
  project.provide("templateDatabase", "platform");
  return stop;
}
