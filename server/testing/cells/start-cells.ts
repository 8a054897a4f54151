import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type Database, openDatabase } from "#db/client.ts";
import { migrate } from "#server/boot/migrate.ts";
import { startPostgres } from "#server/boot/postgres.ts";
import { grantCredits } from "#server/credits/post-credits.ts";
import { createCreditToken } from "#server/keys/credit-tokens.ts";
import { createAccount } from "#server/members/create-account.ts";
import { guardProcess } from "../guard-process.ts";
import { startRouter } from "./router.ts";

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

export type Cell = Awaited<ReturnType<typeof startCell>>;
export type Cells = Awaited<ReturnType<typeof startCells>>;

/** A complete installation of its own name; the older secrets are those of other cells. */
async function startCell(folder: string, name: string, numbers: string[]) {
  const cluster = await startPostgres({
    name: "platform",
    dataDir: join(folder, name),
    throwAway: true,
    settings: { wal_level: "logical" },
  });
  guardProcess(cluster.pid, "INT QUIT");
  const url = cluster.url();
  const database: Database = openDatabase(await migrate(url), { handlers: 2, deadline: null });
  const child = spawn(process.execPath, [pathOf("cell-process.ts"), database.url, name, folder, ...numbers], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  guardProcess(child.pid);
  const [port] = await once(createInterface(child.stdout), "line");

  return {
    name,
    /** The cluster's address, as the other cell is given it. */
    url,
    database,
    port: Number(port),
    /** Runs `npm run account` as an operator of this cell does; `signal` kills it. */
    account(args: readonly string[], signal?: AbortSignal) {
      const env = {
        ...process.env,
        DATABASE_URL: url,
        DATA_DIR: folder,
        BASE_URL: "",
        CELL: name,
        SEALING_KEY: numbers.map((number) => Buffer.alloc(32, Number(number)).toString("base64")).join(","),
      };
      return new Promise<{ code: number; stdout: string; stderr: string }>((done) => {
        const command = execFile(
          process.execPath,
          [pathOf("../../boot/account.ts"), ...args],
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

/** Two cells behind a router, the first of which is `A1`. They share a folder of blobs. */
export async function startCells() {
  const folder = mkdtempSync(join(tmpdir(), `managed-services-test-${process.pid}-`));
  const moved = join(folder, "moved.map");
  const [a, b] = await Promise.all([startCell(folder, "A1", ["1"]), startCell(folder, "B2", ["2", "1"])]);
  const router = await startRouter({ [a.name]: a.port, [b.name]: b.port }, moved);
  let people = 0;

  return {
    a,
    b,
    origin: router.origin,
    /** A new account of this cell that has a person and these credits; its first key has every one of these scopes. */
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
      const response = await fetch(`${router.origin}/v1/api-keys`, {
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
    /** What a move is started with, as docs/scaling.md says. */
    moveArguments(accountId: string, from: Cell, ...options: string[]) {
      const route = `cat - '${moved}' | sort -s -u -k1,1 > '${moved}.new' && mv '${moved}.new' '${moved}'`;
      return ["move", "--account", accountId, "--from", from.url, "--route", route, ...options];
    },
    /** Moves an account; returns what the command printed. */
    async move(accountId: string, from: Cell, to: Cell, ...options: string[]) {
      const { code, stdout, stderr } = await to.account(this.moveArguments(accountId, from, ...options));
      if (code !== 0) throw new Error(stderr);
      return JSON.parse(stdout);
    },
    async stop() {
      router.stop();
      await Promise.all([a.stop(), b.stop()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
