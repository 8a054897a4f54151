import { expect, test } from "@playwright/test";
import { expectGoodLooks } from "./looks.ts";
import { awaitScripts, signUp } from "./people.ts";
import { createWallet, fund } from "./wallets.ts";

test("a wallet swaps its tokens, and the received amount is shown", async ({ page }) => {
  test.slow();
  await signUp(page);
  await createWallet(page, "Swapper");
  await fund(page);
  const wallet = page.url();
  await page.goto("/swaps");
  await page.getByRole("button", { name: "New swap" }).click();
  const form = page.getByRole("dialog", { name: "New swap" });
  await form.getByLabel("Wallet").selectOption({ label: "Swapper" });
  const give = form.getByLabel("Give");
  await expect(give.locator("option", { hasText: "ETH on Sandbox" }).first()).toBeAttached();
  await give.selectOption({ label: "ETH on Sandbox" });
  await page.getByLabel("Amount").fill("0.1");
  await page.getByLabel("Receive").selectOption({ label: "USD on Sandbox" });
  await page.getByRole("button", { name: "Get quote" }).click();
  await page.getByRole("button", { name: "Swap now" }).click();
  await expect(page.getByRole("dialog", { name: "Swap" }).getByText("Completed")).toBeVisible({
    timeout: 90_000,
  });
  await expectGoodLooks(page);

  await page.goto("/swaps");
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("checkbox", { name: "Wallet" }).check();
  await page.keyboard.press("Escape");
  await expect(
    page.getByRole("table", { name: "Swaps" }).getByRole("cell", { name: "Swapper" }),
  ).toBeVisible();

  await page.goto(wallet);
  const activity = page.getByRole("table", { name: "Activity" });
  await expect(activity.getByRole("link", { name: /^Swapped 0\.1 ETH for [\d.]+ USD$/ })).toBeVisible();
  await awaitScripts(page);
  await activity.getByRole("link", { name: /^Swapped/ }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(activity.getByRole("link", { name: /^Sent 0\.1 ETH to Uniswap router/ })).toBeVisible();
  await expectGoodLooks(page);
});

test("the page passes the checks of every page", async ({ page }) => {
  await signUp(page, "/swaps");
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "New swap" }).click();
  await expect(page.getByRole("dialog", { name: "New swap" })).toBeVisible();
  await expectGoodLooks(page);
});
