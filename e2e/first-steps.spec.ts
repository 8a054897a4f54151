import { expect, test } from "@playwright/test";
import { takeFirstSteps } from "./first-steps.ts";
import { createKey } from "./key-pages.ts";
import { expectGoodLooks } from "./looks.ts";
import { signUp } from "./people.ts";

test("a person goes from nothing to the first request, and ends the key again", async ({ page }) => {
  test.slow();
  await takeFirstSteps(page, expectGoodLooks);
});

test("sample data is added on request, ticks nothing by itself, and is removed by one button", async ({
  page,
}) => {
  test.slow();
  await signUp(page, "/");
  const further = page.getByRole("list", { name: "Go further" });
  await expect(further.getByText("Done:")).toHaveCount(0);
  await page.getByRole("button", { name: "Add sample data" }).click();
  await expect(page.getByText("The sample data is there.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Sample", exact: true })).toBeVisible();
  // A webhook was delivered to, and a project is there; but nobody has connected or made one.
  await expect(page.getByRole("button", { name: "New project" })).toBeVisible();
  await expectGoodLooks(page);
  await page.goto("/webhooks");
  await expect(page.getByRole("link", { name: /inspect/ })).toBeVisible();
  await page.goto("/approvals");
  await page.getByRole("link", { name: /sample/ }).click();
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Approve", exact: true }).click();
  await expect(page.getByText("Approved.", { exact: true })).toBeVisible();

  await page.goto("/");
  await expect(further.getByRole("listitem").filter({ hasText: "Decide an approval" })).toContainText(
    "Done:",
  );
  await expect(further.getByText("Done:")).toHaveCount(1);
  await page.getByRole("button", { name: "Remove sample data" }).click();
  await expect(page.getByText("The sample data is removed.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Add sample data" })).toBeVisible();
  await page.goto("/projects");
  await expect(page.getByRole("row", { name: /^Sample/ })).toContainText("Archived");
});

test("the first call has a placeholder where the secret is not at hand", async ({ page }) => {
  await signUp(page, "/api-keys/new");
  await createKey(page, { label: "Backend", scopes: ["credits:read"] });
  await page.goto("/");
  await expect(page.getByRole("region", { name: "First call" })).toContainText(
    '/v1/credits/balance \\\n  -H "Authorization: Bearer YOUR_API_KEY"',
  );
});
