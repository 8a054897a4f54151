import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { findBrowser } from "../server/boot/find-browser.mjs";
import { freePort } from "../server/boot/processes.ts";
import { CERT } from "../server/testing/localhost-certificate.ts";

// The workers read this file too, and are to find the port that was chosen first.
process.env.E2E_PORT ??= String(await freePort());
const port = process.env.E2E_PORT;
// The server removes it at its end; commands that tests run find it as theirs.
process.env.E2E_DATA_DIR ??= mkdtempSync(join(tmpdir(), "e2e-"));
process.env.DATA_DIR = process.env.E2E_DATA_DIR;
// For tests that serve the documents of apps.
const trusted = join(process.env.E2E_DATA_DIR, "trusted.pem");
writeFileSync(trusted, CERT);
const report = process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ?? join(tmpdir(), "playwright.json");
const baseURL = `http://localhost:${port}`;

// Servers that start and end, one test after the other: they begin first, or the other workers would wait for them.
const SERVERS = /(process|dev|next-start)\.spec\.ts/;

export default defineConfig({
  testDir: ".",
  projects: [
    { name: "servers", testMatch: SERVERS },
    { name: "pages", testIgnore: SERVERS },
  ],
  outputDir: "../test-results",
  workers: 3,
  fullyParallel: true,
  forbidOnly: true,
  // A slow and busy machine takes half a minute for what another does in ten seconds.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: [["list"], ["./every-page.ts"], ["./page-of-failure.ts"], ["json", { outputFile: report }]],
  use: {
    baseURL,
    // Says what an action waits for, which the end of the whole test does not.
    actionTimeout: 60_000,
    launchOptions: {
      executablePath: findBrowser(),
      args: [
        ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
        ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
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
      // So that each person signs up from an address of their own.
      TRUSTED_PROXIES: "127.0.0.1,::1",
    },
    timeout: 300_000,
    gracefulShutdown: { signal: "SIGTERM", timeout: 20_000 },
  },
});
