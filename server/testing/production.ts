import { execFile, execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseEnv, promisify } from "node:util";
import { onTestFinished } from "vitest";
import { openDatabase } from "#db/client.ts";
import { freePort } from "#server/boot/processes.ts";
import { readEnv } from "#server/env/read-env.ts";
import type { OperatorService } from "#server/services/manifest.ts";
import { startBalancer } from "./balancer.ts";
import { startReadyNode } from "./children.ts";
import { inTime } from "./eventually.ts";

/** The sources of a release, installed. */
export interface Release {
  tree: string;
  commit: string;
}

const PAGES_REPLACED = new URL("replace-pages.ts", import.meta.url).href;
const SECRETS = fileURLToPath(new URL("../../docs/operating/make-secrets.sh", import.meta.url));
/** The tested sources themselves. */
export const THIS_RELEASE: Release = {
  tree: fileURLToPath(new URL("../..", import.meta.url)),
  commit: "fffffff",
};

interface ProductionOptions {
  databaseUrl: string;
  /** The number of web processes' ports. */
  webs: number;
  /** The manifest of operators' services. */
  services?: readonly OperatorService[];
}

/**
 * Starts a balancer for web processes on this database. They and workers are started as in production, by the command
 * and with the settings that operators use, from the sources of their release; only the console has no pages.
 */
export async function startProduction({ databaseUrl, webs, services = [] }: ProductionOptions) {
  const folder = mkdtempSync(join(tmpdir(), "production-"));
  const servicesFile = join(folder, "services.json");
  writeFileSync(servicesFile, JSON.stringify({ services }));
  const ports: number[] = [];
  while (ports.length < webs) ports.push(await freePort());
  const balancer = await startBalancer(ports);
  const settings = {
    ...parseEnv(execFileSync("sh", [SECRETS], { encoding: "utf8" })),
    NODE_ENV: "production" as const,
    DATABASE_URL: databaseUrl,
    DATA_DIR: folder,
    BLOBS_SHARED_FOLDER: "yes",
    BASE_URL: balancer.origin,
    SERVICES_FILE: servicesFile,
    // As in the files of docs/operating: longer than the balancer takes to notice.
    DRAIN_SECONDS: "5",
  };
  const database = openDatabase(databaseUrl);
  onTestFinished(database.close);

  const environment = ({ commit }: Release, more: Record<string, string> = {}) => ({
    PATH: process.env.PATH,
    ...settings,
    COMMIT: commit,
    ...more,
  });

  async function start(name: string, release: Release, more: Record<string, string>) {
    const main = join(release.tree, "server/boot/main.ts");
    const { child } = await startReadyNode(["--import", PAGES_REPLACED, main], {
      // The settings are those above, not those of a file.
      cwd: folder,
      env: environment(release, more),
      log: openSync(join(folder, `${name}.log`), "a"),
    });
    const gone = once(child, "exit");
    return {
      child,
      /** Ends it as a supervisor does; returns its exit code and signal. */
      async stop(signal: "SIGTERM" | "SIGKILL" = "SIGTERM") {
        child.kill(signal);
        return await inTime(`${name} to end`, gone);
      },
    };
  }

  return {
    balancer,
    ports,
    database,
    env: readEnv(settings),
    startWorker: (name: string, release: Release) => start(name, release, { ROLE: "worker" }),
    startWeb: (release: Release, port: number) =>
      start(`web-${port}`, release, { ROLE: "web", PORT: String(port) }),
    /** Creates an account with these credits by the command of this release; returns its output. */
    async createAccount(release: Release, credits: number): Promise<{ creditToken: string }> {
      const person = ["--email", "ada@example.test", "--password", "correct horse battery"];
      const args = ["run", "--silent", "account", "--", "create", ...person, "--credits", String(credits)];
      const options = { cwd: release.tree, env: environment(release) };
      return JSON.parse((await promisify(execFile)("npm", args, options)).stdout);
    },
    /** Returns the errors that the processes have logged. */
    errors: () =>
      readdirSync(folder)
        .filter((name) => name.endsWith(".log"))
        .flatMap((name) =>
          readFileSync(join(folder, name), "utf8")
            .split("\n")
            .filter((line) => line.includes('"level":"error"'))
            .map((line) => `${name}: ${line.slice(0, 2000)}`),
        ),
    /** Deletes the data and logs. After a failure they are kept, to find its cause. */
    forget: () => rmSync(folder, { recursive: true, force: true }),
    folder,
  };
}
