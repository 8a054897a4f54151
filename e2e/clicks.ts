import type { Page } from "@playwright/test";

/** Counts a person's mouse clicks from the next document on; keys do not count. */
export async function countClicks(page: Page): Promise<() => number> {
  let clicks = 0;
  await page.exposeFunction("pressed", () => clicks++);
  await page.addInitScript(() =>
    addEventListener("pointerdown", () => (window as unknown as { pressed(): void }).pressed(), true),
  );
  return () => clicks;
}
