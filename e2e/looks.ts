import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

const widths = [1280, 320];
const schemes = ["light", "dark"] as const;

/** Holds what is open to the rules of every page: on wide and narrow screens, in light and dark. */
export async function expectGoodLooks(page: Page) {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations, `${page.url()} at ${width} px, ${colorScheme}`).toEqual([]);
    }
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow, `${page.url()} at ${width} px`).toBeLessThanOrEqual(0);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}
