import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startSharedCluster } from "./global-setup.ts";
import { SECRETS, startNextProcess } from "./next-process.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The `next start` that serves the platform; undefined in runs whose test files serve it themselves. */
    nextServer: { origin: string; databaseUrl: string; blobs: string } | undefined;
  }
}

/** Starts `next start` once for the whole run, on a database that all its test files share. */
export default async function setup(project: TestProject) {
  const cluster = await startSharedCluster();
  const dataDir = mkdtempSync(join(tmpdir(), "test-next-"));
  const databaseUrl = cluster.url();
  const next = await startNextProcess({
    ...SECRETS,
    ROLE: "web",
    BLOBS_SHARED_FOLDER: "yes",
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    BASE_URL: "http://platform.test",
    SIGNUP_CREDITS: "10000",
    TRUSTED_PROXIES: "127.0.0.1",
  });
  await next.untilReady();
  project.provide("nextServer", { origin: next.origin, databaseUrl, blobs: join(dataDir, "blobs") });
  return async () => {
    next.child.kill("SIGTERM");
    await next.ended;
    await cluster.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
}
