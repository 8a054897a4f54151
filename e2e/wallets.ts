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

/** An address without a wallet of the platform. */
export const FRIEND = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

/** Gets a quote for a send to the friend, on the page of a wallet. */
export async function quoteSend(page: Page, amount: string) {
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByLabel("Asset").selectOption(await assetValue(page, "USD"));
  await page.getByLabel("To", { exact: true }).fill(FRIEND);
  await page.getByLabel("Amount").fill(amount);
  await page.getByRole("button", { name: "Get quote" }).click();
}

/** Returns the value of the asset's option; its label changes with the balance. */
async function assetValue(page: Page, symbol: string): Promise<string> {
  const option = page.getByLabel("Asset").locator("option", { hasText: symbol }).first();
  await expect(option).toBeAttached({ timeout: 90_000 });
  return (await option.getAttribute("value")) ?? "";
}
