import { expect, type Page, test } from "@playwright/test";
import axe from "axe-core";
import { routeOf } from "./page-routes.ts";

/** The annotation that a test adds for each route that `expectGoodLooks` has checked. */
export const LOOKED_AT = "looked at";

/** Checks the open page's layout and accessibility: on wide and narrow screens, in light and dark. */
export async function expectGoodLooks(page: Page) {
  test.slow();
  // Until then the page may be its skeleton.
  await expect(page.locator("h1").first()).toBeAttached();
  // The title of a streamed page comes after its heading.
  await expect(page).toHaveTitle(/\S/);
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await expectAccessible(page, "light");
    // The dark theme differs only in colours.
    await expectAccessible(page, "dark", ["color-contrast"]);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow, `${page.url()} at ${width} px`).toBeLessThanOrEqual(0);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  const description = routeOf(new URL(page.url()).pathname) ?? "";
  test.info().annotations.push({ type: LOOKED_AT, description });
}

/** Fails the test on any rule of axe that the open page breaks; by default all rules, in the light theme. */
export async function expectAccessible(
  page: Page,
  colorScheme: "light" | "dark" = "light",
  rules?: string[],
) {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  const violations = await page.evaluate(async (runOnly) => {
    const { axe: injected } = window as unknown as { axe: typeof axe };
    const options = { resultTypes: ["violations" as const], iframes: false, ...(runOnly && { runOnly }) };
    return (await injected.run(document, options)).violations;
  }, rules);
  expect(violations, `${page.url()} at ${page.viewportSize()?.width} px, ${colorScheme}`).toEqual([]);
}
