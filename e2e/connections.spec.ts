import { expect, test } from "@playwright/test";
import { expectGoodLooks } from "./looks.ts";
import { signUp } from "./people.ts";

test("a connection is made with its secret typed once, rotated, disabled and deleted", async ({ page }) => {
  test.slow();
  await signUp(page, "/connections");
  await expect(page.getByRole("heading", { name: "No connections yet" })).toBeVisible();
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "New connection" }).click();
  await page.getByLabel("Label").fill("Orders API");
  await page.getByLabel("Provider").fill("orders");
  await page.getByLabel("Sent as").selectOption("OAuth 2.0 client credentials");
  await page.getByLabel("Client id").fill("backend");
  await page.getByLabel("Token address").fill("https://auth.example.net/token");
  await page.getByLabel("Secret").fill("typed-only-once");
  await page.getByLabel("Allowed hosts").fill("*.example.com");
  await page.getByRole("button", { name: "Create connection" }).click();
  await expect(
    page.getByText("Its host auth.example.net is not among allowedHosts. Add it there.", { exact: true }),
  ).toBeVisible();
  await expectGoodLooks(page);
  await page.getByLabel("Allowed hosts").fill("*.example.com\nauth.example.net");
  await page.getByRole("button", { name: "Create connection" }).click();
  await expect(page.getByRole("heading", { name: "Orders API" })).toBeVisible();
  await expect(page.getByText("Version 1")).toBeVisible();
  expect(await page.content()).not.toContain("typed-only-once");

  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("Allowed hosts").fill("*.example.com\nauth.example.net\napi.example.org");
  await page.getByRole("button", { name: "Save connection" }).click();
  await expect(
    page.getByText("api.example.org would be new. Send the secret in the same request.", { exact: true }),
  ).toBeVisible();
  await expectGoodLooks(page);
  await page.getByLabel("Secret").fill("typed-only-once");
  await page.getByRole("button", { name: "Save connection" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByText("Version 2")).toBeVisible();
  await page.getByRole("button", { name: "Rotate" }).click();
  await page.getByRole("button", { name: "Replace secret" }).click();
  await expect(page.getByText("This field is required.")).toBeVisible();
  await expectGoodLooks(page);
  await page.getByLabel("New secret").fill("the-next-one");
  await page.getByRole("button", { name: "Replace secret" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByText("Version 3")).toBeVisible();
  await expectGoodLooks(page);

  await page.getByRole("button", { name: "Disable" }).click();
  const disabling = page.getByRole("alertdialog", { name: "Disable “Orders API”?" });
  await disabling.getByRole("button", { name: "Disable" }).click();
  await expect(page.getByText("Orders API is disabled.")).toBeVisible();
  await page.getByRole("link", { name: "Connections" }).last().click();
  await expect(page.getByRole("row", { name: /Orders API/ })).toContainText("Disabled");
  await expectGoodLooks(page);
  await page.getByLabel("Host").fill("shop.example.net");
  await expect(page.getByText("Nothing matches these filters.")).toBeVisible();
  await page.getByLabel("Host").fill("eu.example.com");
  await expect(page.getByRole("row", { name: /Orders API/ })).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(page).toHaveURL("/connections");
  await page.getByRole("checkbox", { name: "Choose Orders API" }).check();
  await expect(page.getByRole("button", { name: "Disable 0 connections" })).toBeDisabled();
  await page.getByRole("button", { name: "Enable 1 connection" }).click();
  const many = page.getByRole("dialog", { name: "Enable 1 connection?" });
  await many.getByRole("button", { name: "Enable", exact: true }).click();
  await expect(many).toContainText("Done: 1 of 1.");
  await many.getByRole("button", { name: "Close" }).last().click();
  await expect(page.getByRole("row", { name: /Orders API/ })).toContainText("Active");
  await page.getByRole("button", { name: "Row actions" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const deleting = page.getByRole("alertdialog", { name: "Delete “Orders API”?" });
  await deleting.getByRole("textbox").fill("Orders API");
  await expectGoodLooks(page);
  await deleting.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("heading", { name: "No connections yet" })).toBeVisible();
});
