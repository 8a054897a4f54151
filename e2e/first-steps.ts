import { expect, type Page } from "@playwright/test";
import { countClicks } from "./clicks.ts";
import { createKey, storeSecret } from "./key-pages.ts";
import { signUpByForm } from "./people.ts";

/** Gets from the sign-up to the first request, and revokes the key; calls `look` with each page that was opened. */
export async function takeFirstSteps(page: Page, look: (page: Page) => Promise<void> = async () => {}) {
  const clicks = await countClicks(page);
  await signUpByForm(page, "/");
  await expect(page.getByRole("heading", { name: "First steps" })).toBeVisible();
  await look(page);

  await page.getByRole("button", { name: "New project" }).click();
  await page.getByLabel("Name").fill("Web shop");
  await look(page);
  await page.getByRole("button", { name: "Create project" }).click();
  await expect(page.getByRole("link", { name: "Web shop" })).toBeVisible();

  await page.getByRole("button", { name: "New key" }).click();
  await expect(page.getByLabel("Project", { exact: true })).toHaveValue(/^proj_/);
  // The form needs no changes: the scopes of a backend are selected.
  await expect(page.getByLabel("Label")).toHaveValue("Backend");
  await expect(page.getByRole("button", { name: "Backend", exact: true })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  await expect(page.getByRole("checkbox", { name: "runs:write" })).toBeChecked();
  const secret = await createKey(page, { label: "Backend", scopes: ["projects:read"] });
  expect(secret).toMatch(/^svc_live_[0-9A-Za-z]{49}$/);
  const before = clicks();
  await page.keyboard.press("Escape");
  await page.mouse.click(5, 5);
  await expect.poll(clicks).toBe(before + 1);
  await expect(page.getByText(secret)).toBeVisible();
  await look(page);
  await storeSecret(page);
  // Counted from the sign-up on; a person who wants to proceed does not click beside the dialog, as the test did.
  expect(clicks() - 1).toBeLessThanOrEqual(6);

  const curl = (await page.getByRole("region", { name: "First call" }).textContent()) ?? "";
  const [, url = "", authorization = ""] =
    /^curl -X POST (\S+) \\\s+-H "Authorization: (.+)" \\$/m.exec(curl) ?? [];
  const [, body = ""] = /-d '(.+)'$/s.exec(curl) ?? [];
  expect(authorization).toBe(`Bearer ${secret}`);
  await look(page);
  const headers = { authorization, "content-type": "application/json", "idempotency-key": "first-call" };
  const send = () => fetch(url, { method: "POST", headers, body });
  const answered = await send();
  expect(answered.status, await answered.clone().text()).toBe(200);
  // The first call is charged, and the page shows both.
  await expect(page.getByText(/^Backend was used .*services\.invoke, charged 1 /)).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
  await expect(page.getByText(secret)).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "First steps" })).toHaveCount(0);
  const latest = page.getByRole("table", { name: "Latest requests" });
  await expect(latest).toContainText("services.invoke");
  await expect(latest).not.toContainText(/\.(list|read)\b/);
  await expect(page.locator("[aria-current=step]")).toHaveText(/^1See a webhook arrive/);
  await look(page);

  await page.getByRole("link", { name: "API keys" }).click();
  await page.getByRole("link", { name: "Backend" }).click();
  // The list that the link is in has a button and a dialog of the same names, which end with it.
  await expect(page.getByRole("heading", { name: "Backend" })).toBeVisible();
  await page.getByRole("button", { name: "Revoke" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Revoke “Backend”?" });
  await expect(dialog.getByText("No working key stands below it.")).toBeVisible();
  await dialog.getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByText("Backend is revoked.")).toBeVisible();
  const refused = await send();
  expect([refused.status, (await refused.json()).error.code]).toEqual([401, "api_key_revoked"]);
  await expect(page.getByRole("button", { name: "Revoke" })).toHaveCount(0);
}
