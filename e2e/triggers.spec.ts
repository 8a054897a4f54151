import { expect, type Page, test } from "@playwright/test";
import { expectGoodLooks } from "./looks.ts";
import { signUp } from "./people.ts";

const toast = (page: Page, text: string) => page.getByText(text, { exact: true });

test("a person has runs started by themselves, and sees what comes next", async ({ page }) => {
  await signUp(page, "/triggers");
  await expect(page.getByText("No triggers yet")).toBeVisible();
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "New trigger" }).click();
  await expect(page).toHaveURL("/triggers/new");
  await page.getByLabel("Name").fill("nightly-note");
  const times = page.getByRole("region", { name: "Next times" });
  await expect(times.getByRole("listitem")).toHaveCount(5);
  await page.getByLabel("Crontab line").fill("61 2 * * *");
  await expect(times).toContainText("Not a crontab line");
  await expectGoodLooks(page);
  await page.getByLabel("Crontab line").fill("30 2 * * *");
  await page.getByLabel("Time zone").fill("Europe/Berlin");
  await expect(times.getByRole("listitem")).toHaveCount(5);
  await page.getByLabel("Starts").selectOption({ label: "Another operation" });
  await page.getByLabel("Input").fill('{ "content": "A note of the night." }');
  await page.getByRole("button", { name: "Create trigger" }).click();

  await expect(page).toHaveURL(/\/triggers\/trg_[0-9a-z]{26}$/);
  await expect(page.getByRole("heading", { name: "nightly-note" })).toBeVisible();
  await expect(page.getByText("30 2 * * * (Europe/Berlin)")).toBeVisible();
  await page.getByRole("button", { name: "Start now" }).click();
  await expect(toast(page, "nightly-note starts a run.")).toBeVisible();
  const before = page.getByRole("table", { name: "Times before" });
  await expect(before.getByRole("row", { name: /By hand/ })).toContainText("Started");
  await expectGoodLooks(page);

  await page.getByRole("button", { name: "Backfill" }).click();
  await expect(page).toHaveURL(/\/backfill$/);
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "Start them" }).click();
  await expect(toast(page, "1 run is started.").or(toast(page, "0 runs are started."))).toBeVisible();

  await page.getByRole("button", { name: "Edit" }).click();
  await expect(page.getByRole("button", { name: "Save trigger" })).toBeVisible();
  await expectGoodLooks(page);
  await page.getByLabel("When").selectOption({ label: "Every so many minutes" });
  await page.getByLabel("Every", { exact: true }).fill("90");
  await page.getByRole("button", { name: "Save trigger" }).click();
  await expect(page.getByText("Every 90 minutes")).toBeVisible();
  await page.getByRole("button", { name: "Pause" }).click();
  await expect(toast(page, "nightly-note is paused.")).toBeVisible();
  await expect(page.getByText("None follow.")).toBeVisible();
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(toast(page, "nightly-note goes on from now.")).toBeVisible();

  await page.getByRole("link", { name: "Triggers" }).last().click();
  await expect(page.getByRole("row", { name: /nightly-note/ })).toContainText("Active");
  await page.getByRole("link", { name: "Calendar" }).click();
  await expect(page).toHaveURL("/triggers/calendar");
  const days = page.getByRole("list", { name: "Calendar" });
  await expect(days.getByRole("link", { name: "nightly-note" }).first()).toBeVisible();
  await expectGoodLooks(page);

  await days.getByRole("link", { name: "nightly-note" }).first().click();
  await before
    .getByRole("row", { name: /By hand/ })
    .getByRole("link")
    .click();
  await expect(page).toHaveURL(/\/runs\/run_/);
  await page.getByRole("link", { name: /^trg_/ }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await expect(page).toHaveURL("/triggers");
  await expect(page.getByText("No triggers yet")).toBeVisible();
});
