import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, type Page, test } from "@playwright/test";
import type axe from "axe-core";
import { routeOf } from "./page-routes.ts";
import { awaitScripts } from "./people.ts";

/** axe without the white space and names of its sources, which every checked document would parse. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Ordered so that the theme changes rarely: each change styles and paints the whole page anew. */
const VIEWS = [
  [1280, "light"],
  [1280, "dark"],
  [320, "dark"],
  [320, "light"],
] as const;

/** Widths at which the layout alone is checked. */
const OTHER_WIDTHS = [390, 1024, 1440];

/** The annotation that a test adds for each route that `expectGoodLooks` has checked. */
export const LOOKED_AT = "looked at";

/** Checks the open page's layout and accessibility: on wide and narrow screens, in light and dark. */
export async function expectGoodLooks(page: Page) {
  test.slow();
  // Until then the page may be its skeleton.
  await expect(page.locator("h1").first()).toBeAttached();
  // The title of a streamed page comes after its heading.
  await expect(page).toHaveTitle(/\S/);
  await awaitScripts(page);
  for (const [width, scheme] of VIEWS) {
    await page.setViewportSize({ width, height: 800 });
    // The dark theme differs only in colours.
    await expectAccessible(page, scheme, scheme === "dark" ? ["color-contrast"] : undefined);
    await expectNoOverflow(page, width);
  }
  for (const width of OTHER_WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoOverflow(page, width);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  const description = routeOf(new URL(page.url()).pathname) ?? "";
  test.info().annotations.push({ type: LOOKED_AT, description });
}

/** Fails the test if the open page is wider than its window. */
async function expectNoOverflow(page: Page, width: number) {
  expect(await overflowOf(page), `${page.url()} at ${width} px`).toBeLessThanOrEqual(0);
}

/** Returns by how many pixels the open page is wider than its window. */
export const overflowOf = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

/** Fails the test on any rule of axe that the open page breaks; by default all rules, in the light theme. */
export async function expectAccessible(
  page: Page,
  colorScheme: "light" | "dark" = "light",
  rules?: string[],
) {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  if (!(await page.evaluate(() => "axe" in window))) await addAxe(page);
  const violations = await page.evaluate(async (runOnly) => {
    const { axe: injected } = window as unknown as { axe: typeof axe };
    // The page learns of another colour scheme with the next frame.
    await new Promise(requestAnimationFrame);
    const options = { resultTypes: ["violations" as const], iframes: false, ...(runOnly && { runOnly }) };
    return (await injected.run(document, options)).violations;
  }, rules);
  expect(violations, `${page.url()} at ${page.viewportSize()?.width} px, ${colorScheme}`).toEqual([]);
}

/**
 * Defines `axe` in the open page; `page.evaluate` would take twice the processor time for so long a script. The session
 * stays attached, because an offline page would believe that it is online once the session had ended.
 */
async function addAxe(page: Page) {
  const client = await page.context().newCDPSession(page);
  const { exceptionDetails } = await client.send("Runtime.evaluate", { expression: `${AXE};0` });
  expect(exceptionDetails).toBeUndefined();
}
