import { expect, type Page, test } from "@playwright/test";
import { fill, provision } from "./databases.ts";
import { expectGoodLooks } from "./looks.ts";
import { signUp } from "./people.ts";
import { createWallet } from "./wallets.ts";

const panel = (page: Page) => page.getByRole("dialog", { name: "Approval" });

/** Approves the approval whose panel is open. */
async function approve(page: Page) {
  await panel(page).getByRole("button", { name: "Approve" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Approve this?" });
  await dialog.getByRole("button", { name: "Approve" }).click();
  await expect(panel(page)).toContainText("It may be done once");
}

test("a looser policy is asked for where it was refused, approved, and then saved once", async ({ page }) => {
  await signUp(page);
  const rules = ["Loosening this policy needs one too", "Who asks may approve too"];
  await createWallet(page, "Treasury", { "Most per transaction (USD)": "50" }, rules);
  await page.getByRole("button", { name: "Edit policy" }).click();
  await page.getByLabel("Most per transaction (USD)").fill("500");
  await page.getByRole("button", { name: "Save policy" }).click();
  await expect(page.getByRole("alert")).toContainText("The policy was not changed.");
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "Ask for approval" }).click();
  await expect(panel(page)).toContainText('maxPerTransactionUsd from "50" to "500"');
  await approve(page);
  await expectGoodLooks(page);
  await panel(page).getByRole("button", { name: "Change the policy" }).click();
  await expect(page.getByText("Policy saved.")).toBeVisible();
  await expect(panel(page).getByRole("button", { name: "Change the policy" })).toHaveCount(0);
  await page.goto("/wallets");
  await expect(page.getByRole("row", { name: /^Treasury/ })).toContainText("500 USD each");
});

test("an empty database is removed at once, and a full one after an approval, as an export", async ({
  page,
}) => {
  await provision(page);
  await page.getByRole("link", { name: "Copies" }).click();
  const remove = async () => {
    await page.getByRole("button", { name: "Remove database" }).click();
    const dialog = page.getByRole("alertdialog", { name: "Remove the database?" });
    await dialog.getByRole("button", { name: "Remove database" }).click();
  };
  await remove();
  await expect(page.getByText("No database yet")).toBeVisible({ timeout: 30_000 });

  await page.getByRole("button", { name: "Provision database" }).click();
  await expect(page.getByRole("button", { name: "Remove database" })).toBeVisible({ timeout: 30_000 });
  await fill(page);
  await remove();
  await expect(page.getByText("The database was not removed.")).toBeVisible();
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "Ask for approval" }).click();
  await expect(panel(page)).toContainText("Remove the account's database");
  await approve(page);
  await panel(page).getByRole("button", { name: "Remove the database" }).click();
  // The first removal said the same, a few seconds ago.
  await expect(panel(page).getByRole("button", { name: "Remove the database" })).toHaveCount(0);
  await expect(page.getByText("The database is being removed.")).toBeVisible();
  await page.goto("/database/copies");
  const copies = page.getByRole("table", { name: "Exports and imports" });
  await expect(copies.getByRole("row", { name: "Export" })).toContainText("Ready", { timeout: 60_000 });
});
