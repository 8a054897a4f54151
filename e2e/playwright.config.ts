import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { findBrowser } from "../server/boot/find-browser.mjs";
import { freePort } from "../server/boot/processes.ts";
import { CERT } from "../server/testing/localhost-certificate.ts";

// The workers read this file too, and must find the port that was chosen first.
process.env.E2E_PORT ??= String(await freePort());
const port = process.env.E2E_PORT;
// The server removes it when it ends; commands that tests run use it as their data folder.
process.env.E2E_DATA_DIR ??= mkdtempSync(join(tmpdir(), "e2e-"));
process.env.DATA_DIR = process.env.E2E_DATA_DIR;
// For tests that serve apps' client metadata documents.
const trusted = join(process.env.E2E_DATA_DIR, "trusted.pem");
writeFileSync(trusted, CERT);
const report = process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ?? join(tmpdir(), "playwright.json");
const baseURL = `http://localhost:${port}`;

// Tests that start and stop servers one after the other: they begin first, or the other workers would wait for them.
const SERVERS = /(process|dev|next-start)\.spec\.ts/;

export default defineConfig({
  testDir: ".",
  projects: [
    { name: "servers", testMatch: SERVERS },
    // Chromium may send the requests of a page with a service worker past a test's routes.
    { name: "pages", testIgnore: SERVERS, use: { serviceWorkers: "block" } },
  ],
  outputDir: "../test-results",
  workers: 3,
  fullyParallel: true,
  forbidOnly: true,
  // A slow and busy machine takes half a minute for actions that take ten seconds elsewhere.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  reporter: [["list"], ["./every-page.ts"], ["./page-of-failure.ts"], ["json", { outputFile: report }]],
  use: {
    baseURL,
    // Animations would be drawn without a graphics card, and waited for before each click.
    contextOptions: { reducedMotion: "reduce" },
    // Names the action that timed out, unlike the timeout of the whole test.
    actionTimeout: 60_000,
    launchOptions: {
      executablePath: findBrowser(),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        // Pages are too short-lived for compiled code to pay for itself: a sixth of the journeys' time.
        "--js-flags=--max-lazy --no-opt",
      ],
    },
  },
  webServer: {
    command: `${process.execPath} ${new URL("start-server.ts", import.meta.url).pathname}`,
    wait: { stdout: /Open http/ },
    env: {
      PORT: port,
      BASE_URL: baseURL,
      NODE_EXTRA_CA_CERTS: trusted,
      // So that each person can sign up from a different address.
      TRUSTED_PROXIES: "127.0.0.1,::1",
      // So that a test can fill it.
      STORAGE_MEMORIES_MB: "1",
    },
    timeout: 300_000,
    gracefulShutdown: { signal: "SIGTERM", timeout: 20_000 },
  },
});
