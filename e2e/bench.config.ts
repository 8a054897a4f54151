import { defineConfig } from "@playwright/test";
import e2e from "./playwright.config.ts";

// The browser and the server of the journeys, for one measurement after the other.
export default defineConfig({
  ...e2e,
  testMatch: "*.bench.ts",
  projects: [{ name: "console" }],
  workers: 1,
  fullyParallel: false,
  reporter: [["line"]],
});
