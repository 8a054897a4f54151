import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type Database, openDatabase } from "#db/client.ts";
import { startPostgres } from "#server/boot/engines/postgres.ts";
import { migrate } from "#server/boot/migrate.ts";
import { freePort } from "#server/boot/processes.ts";
import { grantCredits } from "#server/credits/post-credits.ts";
import { createCreditToken } from "#server/keys/credit-tokens.ts";
import { createAccount } from "#server/members/create-account.ts";
import type { ChainSettings } from "#server/providers/chain/chains.ts";
import { newClusterFolder } from "../cluster-folder.ts";
import { guardProcess } from "../guard-process.ts";
import { commandPath } from "../program-path.ts";
import type { CellOptions } from "./cell-process.ts";
import { startHaproxy } from "./haproxy.ts";
import { startRouter } from "./router.ts";

const CELL_PROCESS = fileURLToPath(new URL("cell-process.ts", import.meta.url));

export type Cell = Awaited<ReturnType<typeof startCell>>;
export type Cells = Awaited<ReturnType<typeof startCells>>;

interface AccountOptions {
  signal?: AbortSignal;
  settings?: Record<string, string>;
}

type Wanted = Omit<CellOptions, "url">;

/** Starts a complete installation with a name of its own; its older secrets are those of other cells. */
async function startCell({ cell: name, folder, numbers, ...options }: Wanted) {
  const cluster = await startPostgres({
    name: "platform",
    dataDir: join(folder, name),
    throwAway: true,
    settings: { wal_level: "logical" },
  });
  guardProcess(cluster.pid, "INT QUIT");
  const url = cluster.url();
  const database: Database = openDatabase(await migrate(url), { handlers: 2, deadline: null });
  const cell: CellOptions = { url: database.url, cell: name, folder, numbers, ...options };
  const child = spawn(process.execPath, [CELL_PROCESS, JSON.stringify(cell)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  guardProcess(child.pid);
  await once(createInterface(child.stdout), "line");
  const keys = numbers.map((number) => Buffer.alloc(32, Number(number)).toString("base64")).join(",");

  return {
    name,
    /** The cluster's address that the other cell gets. */
    url,
    database,
    /** The cell's own address. */
    origin: options.origin,
    /** Runs `npm run account` like an operator of this cell, with these settings changed; `signal` kills it. */
    account(args: readonly string[], { signal, settings }: AccountOptions = {}) {
      const env = {
        ...process.env,
        DATABASE_URL: url,
        DATA_DIR: folder,
        BASE_URL: "",
        CELL: name,
        SEALING_KEY: keys,
        VAULT_KEYS: keys,
        MANAGED_DATABASE_URLS: options.tenants ? `embedded=${options.tenants}` : "",
        ...settings,
      };
      return new Promise<{ code: number; stdout: string; stderr: string }>((done) => {
        const command = execFile(
          process.execPath,
          [commandPath("account"), ...args],
          { env, killSignal: "SIGKILL", ...(signal && { signal }) },
          (_, stdout, stderr) => done({ code: command.exitCode ?? -1, stdout, stderr }),
        );
      });
    },
    async stop() {
      const gone = once(child, "exit");
      if (child.exitCode === null && child.signalCode === null && child.kill("SIGKILL")) await gone;
      await database.close();
      await cluster.stop();
    },
  };
}

interface Shared {
  smtp?: string;
  tenants?: string;
  /** The name of a cell without a worker. */
  idle?: string;
}

/**
 * Starts two cells behind a router; the first is `A1`. They share a folder of blobs, these chains, the mail server and
 * the cluster of accounts' databases. If HAPROXY is the path of an HAProxy, that is the router.
 */
export async function startCells(chains: ChainSettings[] = [], { idle, ...services }: Shared = {}) {
  const folder = newClusterFolder();
  const [shared, ownA, ownB, portA, portB] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const originOf = (port: number) => `http://127.0.0.1:${port}`;
  const start = (cell: string, port: number, own: number, numbers: string[]) =>
    startCell({
      ...services,
      cell,
      folder,
      port,
      origin: originOf(own),
      numbers,
      chains,
      idle: cell === idle,
    });
  const [a, b] = await Promise.all([
    start("A1", portA, ownA, ["1", "2"]),
    start("B2", portB, ownB, ["2", "1"]),
  ]);
  const addresses = { shared, own: { A1: ownA, B2: ownB }, cells: { A1: portA, B2: portB } };
  const { HAPROXY } = process.env;
  const router = HAPROXY
    ? await startHaproxy(HAPROXY, addresses, folder)
    : await startRouter(addresses, join(folder, "moved.map"));
  const origin = originOf(shared);
  let people = 0;

  return {
    a,
    b,
    /** The address that the cells share. */
    origin,
    folder,
    /** Creates an account of this cell with a person and these credits; its first key has all of these scopes. */
    async createAccount(
      { database, name }: Cell,
      credits: number,
      scopes: readonly string[],
      email = `person-${++people}@example.test`,
    ) {
      const { accountId, token } = await database.db.transaction(async (tx) => {
        const { accountId } = await createAccount(tx, { email, name: "Person", passwordHash: "none" });
        await grantCredits(tx, { accountId, credits, reference: accountId, description: "For a test" });
        return { accountId, token: await createCreditToken(tx, accountId, name) };
      });
      const response = await fetch(`${origin}/v1/api-keys`, {
        method: "POST",
        headers: {
          "x-service-credit-token": token,
          "idempotency-key": accountId,
          "content-type": "application/json",
        },
        body: JSON.stringify({ label: "Root", scopes }),
      });
      const answer = await response.json();
      if (response.status !== 201) throw new Error(JSON.stringify(answer));
      return { accountId, email, key: answer.secret as string };
    },
    /** Returns the arguments of a move, as in docs/scaling.md. */
    moveArguments(accountId: string, from: Cell, ...options: string[]) {
      return ["move", "--account", accountId, "--from", from.url, "--route", router.command, ...options];
    },
    /** Moves an account; returns the command's output. */
    async move(accountId: string, from: Cell, to: Cell, ...options: string[]) {
      const { code, stdout, stderr } = await to.account(this.moveArguments(accountId, from, ...options));
      if (code !== 0) throw new Error(stderr);
      return JSON.parse(stdout);
    },
    /** Deletes a moved account in its old cell. */
    async forget(accountId: string, from: Cell, to: Cell) {
      const { code, stderr } = await from.account(["forget", "--account", accountId, "--moved-to", to.url]);
      if (code !== 0) throw new Error(stderr);
    },
    async stop() {
      await router.stop();
      await Promise.all([a.stop(), b.stop()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
