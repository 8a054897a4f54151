import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { startNode } from "#server/testing/children.ts";
import { createTestDatabase } from "#server/testing/database.ts";
import { isAlive, portOf, readCommand } from "./processes.ts";

const folder = mkdtempSync(join(tmpdir(), "supervised-"));
const database = await createTestDatabase();
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a supervisor with a worker as a separate process. */
function runSupervisor(stopMs = 20_000, url = database.url) {
  const engines = {
    databaseUrl: url,
    directUrl: url,
    embeddedTenants: null,
    chains: [],
  };
  const program = `
    import { runProcess } from ${JSON.stringify(join(import.meta.dirname, "run-process.ts"))};
    import { supervise } from ${JSON.stringify(join(import.meta.dirname, "supervisor.ts"))};
    const start = async (stops) => {
      await supervise(["worker"], stops, ${stopMs}).begin(${JSON.stringify(engines)}, undefined);
      console.log("ready");
    };
    process.on("SIGTERM", () => void stop(0));
    const stop = runProcess(start, { stopMs: 30_000, explain: console.error });`;
  // Arguments of Node.js itself, which the parts must not inherit.
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    stdio: ["ignore", "pipe", "pipe"],
    // Vitest sets a BASE_URL itself.
    env: { ...process.env, BASE_URL: "", DATA_DIR: folder },
  });
  const ended = new Promise<number | null>((done) => child.once("exit", done));
  const lines: string[] = [];
  for (const output of [child.stdout, child.stderr])
    createInterface(output).on("line", (line) => lines.push(line));
  const readWorker = () => {
    const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").split(" ");
    return children.map(Number).find((pid) => pid > 0 && readCommand(pid).includes("\0part\0worker\0"));
  };
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const worker = readWorker();
    child.kill("SIGKILL");
    // On a busy machine the worker takes seconds, in which it would look for the dropped database.
    await expect.poll(() => worker !== undefined && isAlive(worker)).toBe(false);
  });
  return { child, ended, lines, readWorker };
}

/** Starts a supervisor, and waits until its worker is ready. */
async function startSupervisor(stopMs?: number) {
  const supervisor = runSupervisor(stopMs);
  const { ended, lines } = supervisor;
  await Promise.race([ended, expect.poll(() => lines).toContain("ready")]);
  expect(lines.join("\n")).toContain("ready");
  return supervisor;
}

test("starts a killed part again with a growing pause, and says so", async () => {
  const { child, ended, lines, readWorker } = await startSupervisor();
  let killed: number | undefined;
  for (let nth = 0; nth < 3; nth++) {
    await expect.poll(() => [undefined, killed].includes(readWorker())).toBe(false);
    killed = readWorker();
    process.kill(defined(killed), "SIGKILL");
  }
  await expect.poll(() => [undefined, killed].includes(readWorker())).toBe(false);
  const restarts = lines.flatMap((line) => (line.includes("is started again") ? [JSON.parse(line)] : []));
  expect(restarts).toMatchObject(
    [100, 200, 400].map((pauseMs) => ({ part: "worker", signal: "SIGKILL", pauseMs })),
  );
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
});

test("a stop during the start ends all that was started, and is no fault", async () => {
  const { child, ended, lines, readWorker } = runSupervisor();
  await expect.poll(readWorker).toBeGreaterThan(0);
  const worker = defined(readWorker());
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
  expect(isAlive(worker)).toBe(false);
  expect(lines).toEqual([]);
});

test("stops an unresponsive part, and says so", async () => {
  const { child, ended, lines, readWorker } = await startSupervisor(2000);
  const worker = defined(readWorker());
  process.kill(worker, "SIGSTOP");
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
  expect(isAlive(worker)).toBe(false);
  expect(lines.join()).toContain("A part of the platform did not stop in time and is killed.");
});

test("continues if the log's reader is gone", async () => {
  const { child, ended, readWorker } = await startSupervisor();
  child.stdout.destroy();
  child.stderr.destroy();
  const killed = defined(readWorker());
  process.kill(killed, "SIGKILL");
  await expect.poll(() => [undefined, killed].includes(readWorker())).toBe(false);
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
});

test("a part ends with its supervisor, however that ends", async () => {
  const { child, ended, readWorker } = await startSupervisor();
  const worker = defined(readWorker());
  child.kill("SIGKILL");
  await ended;
  await expect.poll(() => isAlive(worker)).toBe(false);
});

test("a part whose database is away waits for it, and says so", async () => {
  const { hostname, port } = new URL(database.url);
  let isBack = false;
  const server = createServer((client) => {
    if (!isBack) return void client.destroy();
    const opened = connect(Number(port), hostname);
    for (const socket of [client, opened])
      socket.on("error", () => void [client.destroy(), opened.destroy()]);
    client.pipe(opened).pipe(client);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const { lines } = runSupervisor(20_000, database.url.replace(`:${port}/`, `:${portOf(server)}/`));
  await expect
    .poll(() => lines.join("\n"))
    .toContain("The database does not accept connections yet; the start waits.");
  isBack = true;
  await expect.poll(() => lines).toContain("ready");
  const said = lines.join("\n");
  expect(said.split("the start waits").length - 1).toBe(1);
  expect(said).not.toContain("is started again");
});

test("a part that loses its database during its start is started again, and logs that", async () => {
  const { hostname, port } = new URL(database.url);
  let connections = 0;
  let isBack = false;
  const server = createServer((client) => {
    connections += 1;
    // The first connection checks whether the database is reachable.
    if (connections > 1 && !isBack) return void client.destroy();
    const opened = connect(Number(port), hostname);
    for (const socket of [client, opened])
      socket.on("error", () => void [client.destroy(), opened.destroy()]);
    client.pipe(opened).pipe(client);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const { lines } = runSupervisor(20_000, database.url.replace(`:${port}/`, `:${portOf(server)}/`));
  const said = () => lines.join("\n");
  await expect.poll(said).toContain("lost the database during its start and is started again.");
  isBack = true;
  await expect.poll(() => lines).toContain("ready");
});

test("a worker that is started alone has the options of one with a supervisor", async () => {
  const { readWorker } = await startSupervisor();
  const options = (pid: number) => readCommand(pid).match(/--[a-z-]+=\d+/g);
  const supervised = options(defined(readWorker()));
  expect(supervised).toEqual(["--max-semi-space-size=16", "--heap-growing-percent=30"]);
  const env = { ...process.env, BASE_URL: "", DATA_DIR: folder, ROLE: "worker", DATABASE_URL: database.url };
  const alone = startNode(["--stack-size=900", join(import.meta.dirname, "main.ts")], { env });
  await expect.poll(() => options(defined(alone.pid))).toEqual([...defined(supervised), "--stack-size=900"]);
  expect(isAlive(defined(alone.pid))).toBe(true);
});
