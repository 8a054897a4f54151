import { expect, type Locator, type Page, test } from "@playwright/test";
import { call, chooseNoScopes, createKey, storeSecret } from "./key-pages.ts";
import { expectGoodLooks } from "./looks.ts";
import { awaitScripts, signUp } from "./people.ts";

/** Presses Tab until the target has the focus, as a person without a mouse does. */
async function tabTo(page: Page, target: Locator) {
  await expect(target).toBeVisible();
  for (let presses = 0; presses < 120; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error("Tab does not lead there.");
}

test("a key can be created with the keyboard only", async ({ page }) => {
  await signUp(page, "/api-keys");
  await tabTo(page, page.getByRole("button", { name: "New key" }));
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Label")).toBeFocused();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("Backend");
  await tabTo(page, page.getByRole("button", { name: "Read-only" }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("checkbox", { name: "projects:read" })).toBeChecked();
  await expect(page.getByRole("checkbox", { name: "projects:write" })).not.toBeChecked();
  await tabTo(page, page.getByRole("checkbox", { name: "projects:write" }));
  await page.keyboard.press("Space");
  await tabTo(page, page.getByRole("button", { name: "Create key" }));
  await page.keyboard.press("Enter");
  const secret = page.getByRole("dialog", { name: "The secret of “Backend”" });
  await expect(secret).toBeVisible();
  // Nothing but its button leaves the secret, which cannot be shown again.
  await page.keyboard.press("ControlOrMeta+K");
  await page.keyboard.press("Escape");
  const asked = page.waitForEvent("dialog");
  await page.evaluate(() => void setTimeout(() => window.location.reload()));
  const question = await asked;
  expect(question.type()).toBe("beforeunload");
  await question.dismiss();
  await expect(page.getByRole("dialog")).toHaveCount(1);
  await expect(secret).toBeVisible();
  await tabTo(page, page.getByRole("button", { name: "I have stored it" }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Backend" })).toBeVisible();
});

test("the form of a first key is filled in; it names every fault, and the scope that shortens a key's life", async ({
  page,
}) => {
  await signUp(page, "/api-keys/new");
  await expect(page.getByLabel("Label")).toHaveValue("Backend");
  await expect(page.getByRole("button", { name: "Backend" })).toHaveAttribute("aria-pressed", "true");
  await page.getByLabel("Label").clear();
  await chooseNoScopes(page);
  await expect(page.getByText("At most 365 days ahead.")).toBeVisible();
  await page.getByRole("checkbox", { name: "wallets:sign" }).check();
  await expect(page.getByText("At most 90 days ahead, because it holds wallets:sign")).toBeVisible();
  await expect(page.getByRole("option", { name: "In 365 days" })).toBeDisabled();
  await page.getByRole("button", { name: "Boundaries, limits" }).click();
  await page.getByRole("button", { name: "Add limit" }).click();
  await page.getByLabel("Limit 1: selector").fill("projects.lists");
  await page.getByLabel("Limit 1: value").fill("10");
  await page.getByLabel("Expires").selectOption("On a date");
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByText("Send at least one character that is not white space.")).toBeVisible();
  await expect(page.getByText("This field is required.")).toBeVisible();
  await page.getByRole("checkbox", { name: "wallets:sign" }).uncheck();
  await expect(page.getByText("Choose at least one scope, or a usual role above.")).toBeVisible();
  await expectGoodLooks(page);
  await page.getByRole("checkbox", { name: "wallets:sign" }).check();
  await page.getByLabel("Label").fill("Signer");
  await page.getByLabel("Expires").selectOption("In 90 days");
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByText('Unknown operation selector "projects.lists".', { exact: true })).toBeVisible();
});

test("a child key has the selected part of its parent's access, and the tree shows both", async ({
  page,
}) => {
  test.slow();
  await signUp(page, "/api-keys/new");
  await chooseNoScopes(page);
  await page.getByRole("button", { name: "Boundaries, limits" }).click();
  await page.getByRole("button", { name: "Add limit" }).click();
  await page.getByLabel("Limit 1: value").fill("100");
  await page.getByLabel("Operations boundary").selectOption("All but those chosen");
  await page.getByRole("checkbox", { name: "projects:write" }).check();
  await page.getByRole("checkbox", { name: "projects.archive" }).check();
  await createKey(page, { label: "Root", scopes: ["projects:read", "api_keys:manage"] });
  await storeSecret(page);

  await page.getByRole("button", { name: "New key below it" }).click();
  await expect(page.getByRole("dialog", { name: "New key below “Root”" })).toBeVisible();
  await expect(page.getByRole("checkbox", { name: "files:read" })).toHaveCount(0);
  await expect(page.getByText("25 more can’t be given: the keys above it do not hold them.")).toBeVisible();
  await page.getByRole("button", { name: "Boundaries, limits" }).click();
  await page.getByLabel("End user").fill("customer-1");
  await expectGoodLooks(page);
  const child = await createKey(page, { label: "Child", scopes: ["projects:read", "projects:write"] });
  await storeSecret(page);
  expect(await call("/projects", child)).toEqual({ status: 200, code: undefined });

  await page.getByRole("radio", { name: "Operations" }).check();
  const archive = page.getByRole("row", { name: /^projects.archive/ });
  await expect(archive).toContainText("Denied");
  await expect(archive.getByRole("link", { name: "Root" })).toBeVisible();
  await page.getByRole("radio", { name: "Limits (1)" }).check();
  const limit = /^\* 100 requests per minute \d+ of 100 used Root$/;
  await expect(page.getByRole("row", { name: limit })).toBeVisible();
  await expectGoodLooks(page);

  await page.getByRole("link", { name: "Compare" }).click();
  await expect(page).toHaveURL(/\/compare$/);
  const differences = page.getByRole("table", { name: "Differences" });
  await expect(differences.getByRole("row", { name: /^api_keys:manage/ })).toContainText("Allowed");
  await expect(differences.getByRole("row", { name: /^End user/ })).toContainText("customer-1");
  await expect(differences.getByRole("row", { name: /^projects:read/ })).toHaveCount(0);
  await expectGoodLooks(page);

  await page.goto("/api-keys");
  const table = page.getByRole("table", { name: "API keys" });
  // The first two levels are open.
  await expect(table.getByRole("link", { name: "Child" })).toBeVisible();
  await expect(page.getByText("1 key at the top level", { exact: true })).toBeVisible();
  await awaitScripts(page);
  await table.getByRole("link", { name: "Root" }).focus();
  await page.keyboard.press("ArrowLeft");
  await expect(table.getByRole("link", { name: "Child" })).toHaveCount(0);
  await page.keyboard.press("ArrowRight");
  await expect(table.getByRole("link", { name: "Child" })).toBeVisible();
  await expect(table.getByRole("row", { name: /Child/ })).toContainText("customer-1");
  await expect(table.getByRole("row", { name: /Child/ })).toContainText("Projects");
  // The only call with it is counted among this day's requests.
  await expect(table.getByRole("row", { name: /Child/ }).getByText("1 in 24 h")).toBeVisible();
  await expect(table.getByRole("row", { name: /Root/ })).toContainText("Never");
  await expect(table.getByRole("row", { name: /Root/ })).toContainText(/\w{6}….*of 100/);
  await expectGoodLooks(page);

  await page.getByRole("row", { name: /Root/ }).getByRole("button", { name: "Revoke" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Revoke “Root”?" });
  await expect(dialog.getByText("It takes down 1 key below it:")).toBeVisible();
  await expect(dialog.getByRole("region", { name: "Keys below it" })).toHaveText("Child");
  await expectGoodLooks(page);
  await dialog.getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByText("Root is revoked, with 1 key below it.")).toBeVisible();
  await expect(table.getByRole("row", { name: /Child/ })).toContainText("Ancestor revoked");
  expect(await call("/projects", child)).toEqual({ status: 401, code: "ancestor_revoked" });

  const loads: string[] = [];
  page.on("request", (request) => {
    const { rsc, "next-router-prefetch": prefetch } = request.headers();
    if ((rsc && !prefetch) || request.isNavigationRequest()) loads.push(request.url());
  });
  await page.getByLabel("Status").selectOption("Active");
  await expect(page).toHaveURL("/api-keys?status=active");
  await expect(table.getByRole("row", { name: /Root/ })).toHaveCount(0);
  await page.getByLabel("Status").selectOption("Revoked");
  await expect(table.getByRole("row", { name: /Root/ })).toBeVisible();
  await expect(page.getByText("1 row", { exact: true })).toBeVisible();
  expect(loads).toEqual([]);
});

test("a key is rotated: its replacement has the same policy, and the old one ends last", async ({ page }) => {
  await signUp(page, "/api-keys/new");
  await chooseNoScopes(page);
  const old = await createKey(page, { label: "Backend", scopes: ["projects:read", "usage:read"] });
  await storeSecret(page);
  await page.getByRole("button", { name: "Rotate" }).click();
  const form = page.getByRole("dialog", { name: "Rotate “Backend”" });
  await expect(form.getByLabel("Label")).toHaveValue("Backend");
  await expectGoodLooks(page);
  await form.getByLabel("Label").fill("Backend 2");
  await form.getByRole("button", { name: "Rotate" }).click();
  const secret = (await page.getByText(/^svc_live_[0-9A-Za-z]{49}$/).textContent()) ?? "";
  expect(secret).not.toBe(old);
  await page.getByRole("button", { name: "I have stored it" }).click();
  expect((await call("/projects", old)).status).toBe(200);
  expect((await call("/projects", secret)).status).toBe(200);

  await page.getByRole("button", { name: "Revoke the old key" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByRole("heading", { name: "Backend 2" })).toBeVisible();
  await expect(page.getByRole("radio", { name: "Scopes (2)" })).toBeVisible();
  expect((await call("/projects", old)).code).toBe("api_key_revoked");
  expect((await call("/projects", secret)).status).toBe(200);
});

test.describe("east of Greenwich", () => {
  test.use({ timezoneId: "Europe/Berlin" });

  test("typing the year of a date leaves its time as it is", async ({ page }) => {
    await signUp(page, "/api-keys/new");
    await page.getByLabel("Expires").selectOption("On a date");
    const date = page.getByLabel("Date of expiry");
    await date.fill("2030-03-01T10:00");
    // Month, day, year: the offset of the years 2, 20 and 203 is no whole number of minutes.
    await date.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.type("2031");
    await expect(date).toHaveValue("2031-03-01T10:00");
    await date.blur();
    await expect(date).toHaveValue("2031-03-01T10:00");
  });
});
