import { existsSync } from "node:fs";
import { createRequire } from "node:module";

/** Chromium without its visible parts, as packaged by Debian. */
const HEADLESS_SHELL = "/usr/lib/chromium/chromium-headless-shell";

const places = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome-stable",
  "/usr/bin/google-chrome",
  "/snap/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

export const hasHeadlessShell = () => existsSync(HEADLESS_SHELL);

/**
 * Returns the browser for tests: the headless shell, which needs two fifths of the processor time, else Playwright's
 * own if it is installed, else the system's.
 */
export function findBrowser() {
  const { chromium } = createRequire(import.meta.url)("@playwright/test");
  return [HEADLESS_SHELL, chromium.executablePath(), ...places].find((path) => path && existsSync(path));
}
