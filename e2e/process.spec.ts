import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { freePort } from "../server/boot/processes.ts";
import { signUp } from "./people.ts";

const main = fileURLToPath(new URL("../server/boot/main.ts", import.meta.url));
let dataDir: string;
let port: number;

test.describe.configure({ mode: "serial" });

test.beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "e2e-process-"));
  port = await freePort();
});

test.afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

/** Starts a server of the test's own, from another folder; answers it with what it printed when it listens or has ended. */
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
    ...{ env, cwd: dataDir, stdio: ["ignore", "pipe", "pipe"] },
  });
  let printed = "";
  const ended = new Promise<number | null>((done) => child.once("exit", done));
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

function readPostgresPid() {
  return Number(readFileSync(join(dataDir, "postgres/platform/postmaster.pid"), "utf8").split("\n")[0]);
}

test("installs and builds nothing where nothing has changed", () => {
  const setUp = fileURLToPath(new URL("../server/boot/set-up.mjs", import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [setUp, "install", "build"], {
    encoding: "utf8",
    timeout: 30_000,
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

test("takes less than 400 MB while it idles", async () => {
  const { child, ended } = await start();
  const resident = () => {
    const [, kilobytes] = readFileSync(`/proc/${child.pid}/status`, "utf8").match(/VmRSS:\s+(\d+)/) ?? [];
    return Number(kilobytes) / 1024;
  };
  await expect.poll(resident, { timeout: 30_000 }).toBeLessThan(400);
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
});

test("starts again within seconds on the database that a killed server left, and open pages go on", async ({
  browser,
}) => {
  const first = await start();
  const postgres = readPostgresPid();
  const context = await browser.newContext({ baseURL: `http://localhost:${port}` });
  const page = await context.newPage();
  const listening = page.waitForResponse(/me\.changes/);
  await signUp(page, "/projects");
  await listening;
  first.child.kill("SIGKILL");
  await first.ended;
  const began = Date.now();
  const second = await start();
  expect(Date.now() - began).toBeLessThan(30_000);
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
  await signUp(page, "/files");
  const answering = () =>
    navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null);
  await expect.poll(() => page.evaluate(answering)).toBe(true);
  first.child.kill("SIGKILL");
  await first.ended;
  await page.getByRole("link", { name: "Runs", exact: true }).click();
  await expect(page.getByRole("heading", { name: "The server can't be reached" })).toBeVisible();
  await expect(page).toHaveURL("/runs");
  const second = await start();
  await expect(page.getByRole("heading", { name: "Runs", exact: true })).toBeVisible();
  await context.close();
  second.child.kill("SIGTERM");
  expect(await second.ended).toBe(0);
});
