import { expect, test } from "@playwright/test";
import { call, createKey, storeSecret } from "./key-pages.ts";
import { expectGoodLooks } from "./looks.ts";
import { signUp, signUpByForm } from "./people.ts";

test("a person goes from nothing to the first request, and ends the key again", async ({ page }) => {
  test.slow();
  await signUpByForm(page, "/");
  await expect(page.getByRole("heading", { name: "First steps" })).toBeVisible();
  await expectGoodLooks(page);

  await page.getByRole("button", { name: "New project" }).click();
  await page.getByLabel("Name").fill("Web shop");
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "Create project" }).click();
  await expect(page.getByRole("link", { name: "Web shop" })).toBeVisible();

  await page.getByRole("button", { name: "New key" }).click();
  await expect(page.getByLabel("Project", { exact: true })).toHaveValue(/^proj_/);
  const secret = await createKey(page, { label: "Backend", scopes: ["projects:read"] });
  expect(secret).toMatch(/^svc_live_[0-9A-Za-z]{49}$/);
  await page.keyboard.press("Escape");
  await page.mouse.click(5, 5);
  await expect(page.getByText(secret)).toBeVisible();
  await expectGoodLooks(page);
  await storeSecret(page);

  const curl = (await page.getByRole("region", { name: "First call" }).textContent()) ?? "";
  const [, url = "", authorization = ""] = /^curl (\S+) \\\s+-H "Authorization: (.+)"$/.exec(curl) ?? [];
  expect(authorization).toBe(`Bearer ${secret}`);
  await expectGoodLooks(page);
  expect((await fetch(url, { headers: { authorization } })).status).toBe(200);
  await expect(page.getByText("Backend was used")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
  await expect(page.getByText(secret)).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "First steps" })).toHaveCount(0);
  await expect(page.getByRole("table", { name: "Latest requests" })).toContainText("projects.list");
  await expectGoodLooks(page);

  await page.getByRole("link", { name: "API keys" }).click();
  await page.getByRole("link", { name: "Backend" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Revoke “Backend”?" });
  await expect(async () => {
    await page.getByRole("button", { name: "Revoke" }).click({ timeout: 1000 });
    await expect(dialog.getByText("No working key stands below it.")).toBeVisible({ timeout: 3000 });
  }).toPass();
  await dialog.getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByText("Backend is revoked.")).toBeVisible();
  expect(await call("/projects", secret)).toEqual({ status: 401, code: "api_key_revoked" });
  await expect(page.getByRole("button", { name: "Revoke" })).toHaveCount(0);
});

test("the first call has a placeholder where the secret is not at hand", async ({ page }) => {
  await signUp(page, "/api-keys/new");
  await createKey(page, { label: "Backend", scopes: ["credits:read"] });
  await page.goto("/");
  await expect(page.getByRole("region", { name: "First call" })).toContainText(
    '/v1/credits/balance \\\n  -H "Authorization: Bearer YOUR_API_KEY"',
  );
});
