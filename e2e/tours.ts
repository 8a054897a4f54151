import type { Page } from "@playwright/test";

/** Lists that the navigation leads to. */
export const TOURS = [
  { link: "Projects", table: "Projects" },
  { link: "API keys", table: "API keys" },
  { link: "Audit", table: "Audit events" },
];

/** Returns the milliseconds from the click on a link of the navigation until the page's rows are shown. */
export function goTo(page: Page, place: (typeof TOURS)[number]): Promise<number> {
  return page.evaluate(async ({ link, table }) => {
    const place = [...document.querySelectorAll<HTMLAnchorElement>("nav a")].find(
      ({ textContent }) => textContent?.trim() === link,
    );
    const began = performance.now();
    place?.click();
    while (!document.querySelector(`table[aria-label="${table}"] tbody tr a`))
      await new Promise((resolve) => setTimeout(resolve, 2));
    return performance.now() - began;
  }, place);
}
