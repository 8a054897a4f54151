import { expect, type Page, test } from "@playwright/test";
import { expectGoodLooks } from "./looks.ts";
import { signUp } from "./people.ts";
import { createWallet, fund } from "./wallets.ts";

/** Places an order with a limit that no market reaches, and shows the list. */
async function placeLimitOrder(page: Page) {
  await page.getByRole("button", { name: "New order" }).click();
  await page.getByText("Limit", { exact: true }).click();
  await page.getByLabel("Quantity").fill("0.1");
  await page.getByLabel("Limit price").fill("1");
  await page.getByRole("button", { name: "Get quote" }).click();
  await page.getByRole("button", { name: "Buy now" }).click();
  await expect(page.getByRole("dialog").getByText("Open", { exact: true })).toBeVisible();
  await page.goto("/trading");
}

test("a market order is filled and becomes a position; a limit order waits and is cancelled", async ({
  page,
}) => {
  test.slow();
  await signUp(page);
  await createWallet(page, "Trader");
  await fund(page);
  await page.goto("/trading?market=GOLD-USD");
  await expect(page.getByText("What was GOLD-USD worth in the last 3 hours?")).toBeVisible();
  await page.getByRole("radio", { name: "ETH-USD", exact: true }).check();
  await expect(page.getByText("What was ETH-USD worth in the last 3 hours?")).toBeVisible();
  await page.getByText("Show the numbers").click();
  const prices = page.getByRole("table", { name: "What was ETH-USD worth in the last 3 hours?" });
  await expect(prices.getByRole("cell").first()).toContainText(/^\d,\d{3}/);
  await page.getByRole("radio", { name: "1 h", exact: true }).check();
  await expect(page).toHaveURL(/[?&]range=1h$/);
  await page.reload();
  await expect(page.getByText("What was ETH-USD worth in the last hour?")).toBeVisible();
  const depth = page.getByRole("table", { name: "What would an order of ETH-USD cost?" });
  await expect(depth.getByRole("row", { name: /^1,000 USD/ })).toContainText(/\+\d+\.\d\d %.*−\d+\.\d\d %/);
  await page.getByRole("button", { name: "New order" }).click();
  await page.getByLabel("Quantity").fill("0.1");
  await page.getByRole("button", { name: "Get quote" }).click();
  await page.getByRole("button", { name: "Buy now" }).click();
  await expect(page.getByRole("dialog", { name: "Buy 0.1 ETH-USD" }).getByText("Filled").first()).toBeVisible(
    {
      timeout: 90_000,
    },
  );
  await expectGoodLooks(page);
  await page.goto("/trading");
  await expect(page.getByRole("table", { name: "Positions" })).toContainText("ETH-USD");
  await expect(page.getByRole("table", { name: "Positions" })).toContainText("Trader");
  await expectGoodLooks(page);

  await placeLimitOrder(page);
  await expect(page.getByText("The limit of one open order is too far from these prices")).toBeVisible();
  const row = page.getByRole("row").filter({ hasText: "Open" });
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("dialog").getByRole("checkbox", { name: "Wallet" }).check();
  await page.getByRole("dialog").getByRole("button", { name: "Done" }).click();
  await expect(row).toContainText("Trader");
  await row.getByRole("button", { name: "Actions" }).click();
  await page.getByRole("menuitem", { name: "Cancel order" }).click();
  const confirmation = page.getByRole("alertdialog");
  await expect(confirmation).toContainText("Its reservation is released.");
  await confirmation.getByRole("button", { name: "Keep it" }).click();
  await row.getByRole("link").first().click();
  const panel = page.getByRole("dialog", { name: "Buy 0.1 ETH-USD" });
  await panel.getByRole("button", { name: "Cancel order" }).click();
  await confirmation.getByRole("button", { name: "Cancel order" }).click();
  await expect(page.getByText("The order is cancelled.")).toBeVisible();
  await expect(panel.getByRole("button", { name: "Cancel order" })).toHaveCount(0);
  await panel.getByRole("button", { name: "Close" }).click();

  await placeLimitOrder(page);
  await row.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Cancel 1 order" }).click();
  const many = page.getByRole("dialog", { name: "Cancel 1 order?" });
  await many.getByRole("button", { name: "Cancel", exact: true }).click();
  await expect(many).toContainText("Done: 1 of 1.");
  await many.getByRole("button", { name: "Close" }).last().click();
  await expect(row).toHaveCount(0);
});

test("the page passes the checks of every page", async ({ page }) => {
  await signUp(page, "/trading");
  await expect(page.getByText("Show the numbers")).toBeVisible();
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "New order" }).click();
  await expect(page.getByRole("dialog", { name: "New order" })).toBeVisible();
  await expectGoodLooks(page);
});
