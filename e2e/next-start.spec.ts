import { mkdtempSync, rmSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { type Postgres, startPostgres } from "../server/boot/engines/postgres.ts";
import { SECRETS, startNextProcess } from "../server/testing/next-process.ts";
import { takeFirstSteps } from "./first-steps.ts";

let dataDir: string;
let postgres: Postgres;

test.describe.configure({ mode: "serial" });

test.beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "e2e-next-"));
  postgres = await startPostgres({ name: "platform", dataDir: join(dataDir, "postgres"), throwAway: true });
});

test.afterAll(async () => {
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

test("`npm start` calls the same handler for paths that only Next.js routes", async ({ baseURL }) => {
  const { port } = new URL(String(baseURL));
  const answer = await new Promise<IncomingMessage>((done) => get({ port, path: "/x/../v1/projects" }, done));
  expect(answer.statusCode).toBe(401);
  expect(answer.headers["www-authenticate"]).toContain("/.well-known/oauth-protected-resource/v1");
  answer.resume();
});

test("`next start` refuses settings that need other processes, naming all of them", async () => {
  const { ended, printed } = await startNextProcess({ DATA_DIR: dataDir, DATABASE_URL: "", ROLE: "" });
  expect(await ended).toBe(1);
  expect(printed()).toContain("The settings have 2 faults:");
  expect(printed()).toContain("ROLE is all; `next start` is the web alone.");
  expect(printed()).toContain("DATABASE_URL is missing; `next start` has no embedded databases and chains.");
});

test("`next start` refuses another folder than the project's", async () => {
  const { ended, printed } = await startNextProcess({ DATA_DIR: dataDir }, dataDir);
  expect(await ended).toBe(1);
  expect(printed()).toContain(`The platform can't be loaded from ${dataDir}.`);
});

test("`next start` migrates, serves the whole product, and stops beside an open page", async ({
  browser,
}) => {
  // It migrates a database and completes all first steps, beside the journeys of other servers.
  test.setTimeout(360_000);
  const { port, child, ended, untilReady } = await startNextProcess({
    ...SECRETS,
    ROLE: "web",
    BLOBS_SHARED_FOLDER: "yes",
    DATABASE_URL: postgres.url(),
    DATA_DIR: dataDir,
    BASE_URL: "",
    // The first call is charged.
    SIGNUP_CREDITS: "1000",
  });
  await untilReady();
  const context = await browser.newContext({ baseURL: `http://localhost:${port}` });
  const page = await context.newPage();
  const listening = page.waitForResponse(/me\.changes/, { timeout: 120_000 });
  await takeFirstSteps(page);
  await listening;
  const began = Date.now();
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
  // The server ends the page's event stream instead of waiting for it.
  expect(Date.now() - began).toBeLessThan(30_000);
  await context.close();
});
