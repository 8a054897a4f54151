import { expect, type Page } from "@playwright/test";

/** Creates a wallet by its form; its page is open afterwards. */
export async function createWallet(
  page: Page,
  label: string,
  fields: Record<string, string> = {},
  checked: readonly string[] = [],
) {
  await page.goto("/wallets/new");
  await page.getByLabel("Label", { exact: true }).fill(label);
  await page.getByLabel("With test money").uncheck();
  for (const [name, value] of Object.entries(fields)) await page.getByLabel(name).fill(value);
  for (const name of checked) await page.getByLabel(name).check();
  await page.getByRole("button", { name: "Create wallet" }).click();
  await expect(page.getByRole("heading", { name: label, level: 1 })).toBeVisible();
}

/** Gets test money for the wallet whose page is open, and waits until it has arrived. */
export async function fund(page: Page) {
  await page.getByRole("button", { name: "Get test money" }).click();
  await expect(page.getByRole("table", { name: "Balances" })).toContainText("1,000", { timeout: 30_000 });
}
