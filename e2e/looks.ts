import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";

/** Holds what is open to the rules of every page: on wide and narrow screens, in light and dark. */
export async function expectGoodLooks(page: Page) {
  test.slow();
  // Until then the page may be its own grey shape.
  await expect(page.locator("h1").first()).toBeAttached();
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoViolation(page, "light", new AxeBuilder({ page }));
    // In the dark nothing differs but colours.
    await expectNoViolation(page, "dark", new AxeBuilder({ page }).withRules("color-contrast"));
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow, `${page.url()} at ${width} px`).toBeLessThanOrEqual(0);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

async function expectNoViolation(page: Page, colorScheme: "light" | "dark", axe: AxeBuilder) {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  const { violations } = await axe.analyze();
  expect(violations, `${page.url()} at ${page.viewportSize()?.width} px, ${colorScheme}`).toEqual([]);
}
