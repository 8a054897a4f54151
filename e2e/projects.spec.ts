import { expect, test } from "@playwright/test";
import { expectGoodLooks } from "./looks.ts";
import { signUp } from "./people.ts";

test("a project is made, changed, archived and restored", async ({ page }) => {
  test.slow();
  await signUp(page, "/projects");
  await expect(page.getByRole("heading", { name: "No projects yet" })).toBeVisible();
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "New project" }).click();
  await page.getByLabel("Name").fill("Web shop");
  await page.getByLabel("Slug").fill("Web Shop");
  await page.getByRole("button", { name: "Create project" }).click();
  await expect(page.getByText("Lower-case letters, digits and single hyphens between them.")).toBeVisible();
  await expectGoodLooks(page);
  await page.getByLabel("Slug").fill("shop");
  await page.getByRole("button", { name: "Add metadata" }).click();
  await page.getByLabel("Metadata: value 1").fill("gold");
  await page.getByRole("button", { name: "Create project" }).click();
  await expect(page.getByText("A value has no key. Type one, or remove the row.")).toBeVisible();
  await expect(page.getByLabel("Metadata: key 1")).toBeFocused();
  await page.getByLabel("Metadata: key 1").fill("tier");
  await page.getByRole("button", { name: "Create project" }).click();
  await expect(page.getByRole("heading", { name: "Web shop" })).toBeVisible();
  await expect(page.getByText("gold")).toBeVisible();

  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("Description").fill("Orders and payments.");
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "Save project" }).click();
  await expect(page.getByText("Project saved.")).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByText("Orders and payments.")).toBeVisible();
  await expectGoodLooks(page);

  await page.getByRole("button", { name: "New key" }).click();
  await expect(page.getByLabel("Project", { exact: true })).toHaveValue(/^proj_/);
  await expectGoodLooks(page);
  await page.getByLabel("Label").fill("Bound");
  await page.getByRole("button", { name: "Read-only" }).click();
  await page.getByRole("button", { name: "Create key" }).click();
  await page.getByRole("button", { name: "I have stored it" }).click();
  await page.getByRole("link", { name: "Web shop" }).click();
  await expect(page.getByRole("table", { name: "Keys" }).getByRole("link", { name: "Bound" })).toBeVisible();

  await page.getByRole("button", { name: "Archive" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Archive “Web shop”?" });
  await expect(dialog.getByText("1 active key is bound to it")).toBeVisible();
  await expectGoodLooks(page);
  await dialog.getByRole("button", { name: "Archive" }).click();
  await expect(page.getByText("Web shop is archived.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Edit" })).toHaveCount(0);

  await page.getByRole("link", { name: "Projects" }).last().click();
  await page.getByLabel("Status").selectOption("Archived");
  await expect(page).toHaveURL("/projects?status=archived");
  await page.getByRole("button", { name: "Row actions" }).click();
  await page.getByRole("menuitem", { name: "Restore" }).click();
  await expect(page.getByText("Web shop is active again.")).toBeVisible();
  await expect(page.getByText("Nothing matches these filters.")).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).first().click();
  await expect(page.getByRole("row", { name: /Web shop/ })).toContainText("Active");
});

test("an address of nothing says so, and a stranger's project looks the same", async ({ page, browser }) => {
  await signUp(page, "/projects/new");
  await page.getByLabel("Name").fill("Mine");
  await page.getByRole("button", { name: "Create project" }).click();
  await expect(page.getByRole("heading", { name: "Mine" })).toBeVisible();
  const stranger = await (await browser.newContext()).newPage();
  await signUp(stranger, new URL(page.url()).pathname);
  await expect(stranger.getByRole("heading", { name: "Not found" })).toBeVisible();
  await stranger.goto("/api-keys/key_0");
  await expect(stranger.getByRole("heading", { name: "Not found" })).toBeVisible();
});

test("a click beside a form keeps what is typed in it", async ({ page }) => {
  await signUp(page, "/projects/new");
  const form = page.getByRole("dialog", { name: "New project" });
  await form.getByLabel("Name").fill("Half a name");
  await page.mouse.click(20, 400);
  await expect(form.getByLabel("Name")).toHaveValue("Half a name");
  await form.getByRole("button", { name: "Cancel" }).click();
  await expect(form).toHaveCount(0);
  await page.goto("/projects/new");
  await expect(form.getByLabel("Name")).toBeFocused();
  await expect(form.getByLabel("Name")).toHaveValue("");
  await page.mouse.click(20, 400);
  await expect(form).toHaveCount(0);
});

test("a refusal leads to its request in the audit", async ({ page }) => {
  await signUp(page, "/projects/new");
  await page.getByLabel("Name").fill("Mine");
  await page.getByLabel("Slug").fill("mine");
  await page.getByRole("button", { name: "Create project" }).click();
  await expect(page.getByRole("heading", { name: "Mine" })).toBeVisible();
  await page.goto("/projects/new");
  await page.getByLabel("Name").fill("Mine again");
  await page.getByLabel("Slug").fill("mine");
  await page.getByRole("button", { name: "Create project" }).click();
  // Leaving asks first, and is declined unless a test accepts.
  const request = page.getByRole("alert").getByRole("link", { name: "See it in the audit" });
  await request.click();
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Command palette" });
  await palette.getByRole("option", { name: /^Runs/ }).first().click();
  await page.keyboard.press("Escape");
  await expect(palette).toHaveCount(0);
  await expect(page).toHaveURL("/projects/new");
  await expect(page.getByLabel("Name")).toHaveValue("Mine again");
  page.once("dialog", (question) => question.accept());
  await request.click();
  await expect(page).toHaveURL(/\/audit\?requestId=req_/);
  await expect(page.getByRole("table").getByText("projects.create")).toBeVisible();
});
