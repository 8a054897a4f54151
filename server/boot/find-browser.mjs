import { existsSync } from "node:fs";
import { createRequire } from "node:module";

/** Chromium without the parts that a person sees, as Debian packages it. */
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
 * The browser that the tests drive: the headless shell, which needs two fifths of the processor time, else Playwright's
 * own where it is installed, else the system's.
 */
export function findBrowser() {
  const { chromium } = createRequire(import.meta.url)("@playwright/test");
  return [HEADLESS_SHELL, chromium.executablePath(), ...places].find((path) => path && existsSync(path));
}
