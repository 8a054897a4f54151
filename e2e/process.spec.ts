import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { freePort, isAlive, readCommand } from "../server/boot/processes.ts";
import { clientOf } from "./own-server.ts";
import { signUp } from "./people.ts";

const main = fileURLToPath(new URL("../server/boot/main.ts", import.meta.url));
let dataDir: string;
let port: number;

test.describe.configure({ mode: "serial", timeout: 540_000 });

test.beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "e2e-process-"));
  port = await freePort();
});

const started: { child: ChildProcess; ended: Promise<unknown>; printed(): string }[] = [];

/** A failed test leaves its server running; the server's output says why. */
test.afterEach(async () => {
  const { status, expectedStatus } = test.info();
  for (const { child, ended, printed } of started.splice(0)) {
    if (status !== expectedStatus) console.log(printed());
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
    await ended;
  }
});

test.afterAll(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 500 }));

/** Returns the processes of a server's parts, by name. */
function readParts({ pid }: ChildProcess): Record<string, number> {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").map(Number);
  const named = children.flatMap((child) => {
    const [, part] = readCommand(child).match(/\0part\0(\w+)\0/) ?? [];
    return part ? [[part, child] as const] : [];
  });
  return Object.fromEntries(named);
}

/** Starts a server from another folder; returns it and its output once it listens or has ended. */
async function start(settings: Record<string, string> = {}) {
  const env = {
    ...process.env,
    NODE_ENV: "production" as const,
    DATA_DIR: dataDir,
    PORT: String(port),
    BASE_URL: "",
    ...settings,
  };
  const child: ChildProcess = spawn(process.execPath, [main], {
    env,
    cwd: dataDir,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  const ended = new Promise<number | null>((done) => child.once("exit", done));
  started.push({ child, ended, printed: () => printed });
  const ready = new Promise<void>((done) => {
    const read = (data: Buffer) => {
      printed += data;
      if (printed.includes("Open http")) done();
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
  });
  await Promise.race([ready, ended]);
  return { child, ended, printed: () => printed };
}

function readPostgresPid(cluster: "platform" | "tenants" = "platform") {
  return Number(readFileSync(join(dataDir, `postgres/${cluster}/postmaster.pid`), "utf8").split("\n")[0]);
}

const readChainPid = () => Number(readFileSync(join(dataDir, "chains/31337/anvil.pid"), "utf8"));

const { send, readHealth, createKey } = clientOf(() => ({ dataDir, port }));

test("installs and builds nothing where nothing has changed", () => {
  const setUp = fileURLToPath(new URL("../server/boot/set-up.mjs", import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [setUp, "install", "build"], {
    encoding: "utf8",
    timeout: 120_000,
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});

test("refuses to start on faulty settings, naming all of them", async () => {
  const { ended, printed } = await start({ PORT: "http", ROLE: "none" });
  expect(await ended).toBe(1);
  expect(printed()).toContain("The settings have 2 faults:");
  expect(printed()).toContain("PORT must be a number.");
  expect(printed()).toContain("ROLE must be web, worker, relayer or all.");
});

test("refuses to start on a faulty manifest of services, saying so once", async () => {
  const { ended, printed } = await start({ SERVICES_FILE: "missing.json" });
  expect(await ended).toBe(1);
  expect(printed().match(/SERVICES_FILE can't be read/g)).toHaveLength(1);
});

test("starts, and says in one line where to open it", async () => {
  const { child, ended, printed } = await start();
  expect(printed().match(/^Open .*$/gm)).toEqual([`Open http://localhost:${port}`]);
  expect((await fetch(`http://localhost:${port}/docs/self-hosting`)).status).toBe(200);
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
});

test("refuses at once to start on a port that is taken, with nothing set up", async () => {
  const other = createServer().listen(port);
  await once(other, "listening");
  const second = join(dataDir, "second");
  const { ended, printed } = await start({ DATA_DIR: second });
  expect(await ended).toBe(1);
  expect(printed()).toContain(
    `Port ${port} is taken by another process; end that one, or set PORT to another.`,
  );
  expect(readdirSync(second)).toEqual(["secrets.json"]);
  other.close();
});

test("uses at most 250 MB in each of its idle processes", async () => {
  const { child, ended } = await start();
  const resident = (pid = 0) => {
    const [, kilobytes] = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8").match(/^Rss:\s+(\d+)/m) ?? [];
    return Number(kilobytes) / 1024;
  };
  const most = () => Math.max(...[child.pid, ...Object.values(readParts(child))].map(resident));
  await expect.poll(most, { timeout: 120_000 }).toBeLessThanOrEqual(250);
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
});

test("keeps responding while its worker is killed repeatedly, and runs continue afterwards", async () => {
  const { child, ended, printed } = await start();
  const key = await createKey();
  const authorization = { authorization: `Bearer ${key}` };
  const statuses = new Set<number>();
  let going = true;
  const load = (async () => {
    while (going) statuses.add((await send("GET", "/projects", { headers: authorization })).status);
  })();
  const { web } = readParts(child);
  for (let nth = 0; nth < 2; nth++) {
    const { worker } = readParts(child);
    process.kill(worker as number, "SIGKILL");
    // The next one is suspended, so that it is not ready before the test has looked.
    const isSame = () => [worker, undefined].includes(readParts(child).worker);
    await expect.poll(isSame, { timeout: 120_000 }).toBe(false);
    const next = readParts(child).worker as number;
    process.kill(next, "SIGSTOP");
    await expect.poll(async () => (await readHealth()).status, { timeout: 120_000 }).toBe("degraded");
    expect((await readHealth()).checks).toContainEqual(
      expect.objectContaining({ name: "worker", ok: false }),
    );
    process.kill(next, "SIGCONT");
    const body = { serviceId: "managed-memory", operationId: "list", input: {} };
    const created = await send("POST", "/runs", { headers: authorization, body });
    expect(created.status).toBe(202);
    const status = async () =>
      (await send("GET", `/runs/${created.body.run.id}`, { headers: authorization })).body.run.status;
    await expect.poll(status, { timeout: 120_000 }).toBe("succeeded");
    expect(readParts(child).worker).not.toBe(worker);
  }
  await expect.poll(async () => (await readHealth()).status, { timeout: 120_000 }).toBe("ok");
  going = false;
  await load;
  expect([...statuses]).toEqual([200]);
  expect(readParts(child).web).toBe(web);
  expect(printed()).toContain("A part of the platform ended and is started again.");
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
});

test("starts its web and its engines again when they are killed, and serves as before", async () => {
  const { child, ended } = await start();
  const key = await createKey();
  const list = async () => {
    const headers = { authorization: `Bearer ${key}` };
    return send("GET", "/projects", { headers }).then(
      ({ status }) => status,
      () => 0,
    );
  };
  process.kill(readParts(child).web as number, "SIGKILL");
  await expect.poll(list, { timeout: 120_000 }).toBe(200);
  for (const pid of [readPostgresPid(), readPostgresPid("tenants"), readChainPid()])
    process.kill(pid, "SIGKILL");
  const seen = new Set<number>();
  const recovered = async () => {
    seen.add(await list());
    return (await readHealth()).status;
  };
  await expect.poll(recovered, { timeout: 120_000 }).toBe("ok");
  await expect.poll(list, { timeout: 120_000 }).toBe(200);
  expect([...seen].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
});

test("leaves nothing running where it was killed and no other comes", async () => {
  const { child, ended } = await start({ ENGINES_WAIT_SECONDS: "2" });
  const parts = Object.values(readParts(child));
  const engines = [readPostgresPid(), readPostgresPid("tenants"), readChainPid()];
  child.kill("SIGKILL");
  await ended;
  await expect.poll(() => [...parts, ...engines].filter(isAlive), { timeout: 120_000 }).toEqual([]);
});

test("stops everything that it started, whatever is running, and says so", async () => {
  const { child, ended, printed } = await start();
  const parts = Object.values(readParts(child));
  const engines = [readPostgresPid(), readPostgresPid("tenants"), readChainPid()];
  // A frozen process receives no messages.
  process.kill(parts[0] as number, "SIGSTOP");
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
  expect([...parts, ...engines].filter(isAlive)).toEqual([]);
  expect(printed()).toContain("A part of the platform did not stop in time and is killed.");
});

test("restarts as quickly on a killed server's database, and open pages continue", async ({ browser }) => {
  const startTimed = async () => {
    const began = Date.now();
    return { ...(await start()), tookMs: Date.now() - began };
  };
  const first = await startTimed();
  const postgres = readPostgresPid();
  const context = await browser.newContext({ baseURL: `http://localhost:${port}` });
  const page = await context.newPage();
  const listening = page.waitForResponse(/me\.changes/, { timeout: 120_000 });
  await signUp(page, "/projects");
  await listening;
  first.child.kill("SIGKILL");
  await first.ended;
  const second = await startTimed();
  // Other load may slow one of them; engines that were waited for would take a minute.
  expect(second.tookMs).toBeLessThan(3 * first.tookMs + 20_000);
  expect(readPostgresPid()).toBe(postgres);
  const answer = await fetch(`http://localhost:${port}/openapi.json`);
  expect(answer.status).toBe(200);
  const away = await context.newPage();
  await away.goto("/projects/new");
  await away.getByLabel("Name").fill("After the restart");
  await away.getByRole("button", { name: "Create project" }).click();
  await expect(away.getByRole("heading", { name: "After the restart" })).toBeVisible();
  await expect(page.getByRole("link", { name: "After the restart" })).toBeVisible();
  await context.close();
  second.child.kill("SIGTERM");
  expect(await second.ended).toBe(0);
});

test("a link that is followed while the server is down says so, and opens once it is back", async ({
  browser,
}) => {
  const first = await start();
  const context = await browser.newContext({ baseURL: `http://localhost:${port}` });
  const page = await context.newPage();
  // The page can tell of an outage once it listens for changes.
  const listening = page.waitForResponse(/me\.changes/, { timeout: 120_000 });
  await signUp(page, "/files");
  await listening;
  const answering = () =>
    navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null);
  await expect.poll(() => page.evaluate(answering)).toBe(true);
  const parts = Object.values(readParts(first.child));
  first.child.kill("SIGKILL");
  await first.ended;
  await expect.poll(() => parts.filter(isAlive)).toEqual([]);
  await expect(page.getByText("The server can’t be reached.")).toBeVisible();
  await page.getByRole("link", { name: "Runs", exact: true }).click();
  await expect(page.getByText("This page stays open until the server can be reached again.")).toBeVisible();
  await expect(page).toHaveURL("/files");
  // A new document has no open page to keep.
  await page.goto("/runs");
  await expect(page.getByRole("heading", { name: "The server can't be reached" })).toBeVisible();
  await expect(page).toHaveURL("/runs");
  const second = await start();
  await expect(page.getByRole("heading", { name: "Runs", exact: true })).toBeVisible();
  await context.close();
  second.child.kill("SIGTERM");
  expect(await second.ended).toBe(0);
});
