import { existsSync } from "node:fs";
import { createRequire } from "node:module";

const places = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome-stable",
  "/usr/bin/google-chrome",
  "/snap/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** The browser that the tests drive: Playwright's own where it is installed, else the system's. */
export function findBrowser() {
  const { chromium } = createRequire(import.meta.url)("@playwright/test");
  return [chromium.executablePath(), ...places].find((path) => path && existsSync(path));
}
