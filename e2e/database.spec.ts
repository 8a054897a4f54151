import { expect, type Page, test } from "@playwright/test";
import { callApi, createKey } from "./keys.ts";
import { expectGoodLooks } from "./looks.ts";
import { signUp } from "./people.ts";

async function provision(page: Page) {
  await signUp(page, "/database");
  await page.getByRole("button", { name: "Provision database" }).click();
  await expect(page.getByText("No tables yet")).toBeVisible({ timeout: 30_000 });
}

/** A table of 120 orders, made by a key. */
async function fill(page: Page) {
  const { secret } = await createKey(page, { label: "Backend", scopes: ["databases:write"] });
  const sql =
    "create table orders as select n as id, 'order ' || n as note, n * 1.5 as total from generate_series(1, 120) n";
  const actions = [
    { type: "sql", sql },
    { type: "sql", sql: "alter table orders add primary key (id)" },
  ];
  await callApi(page.request, secret, "POST", "/databases/actions", { actions });
}

test("a database is provisioned, filled by a key, and asked in the browser", async ({ page }) => {
  await provision(page);
  await fill(page);
  await page.getByRole("link", { name: "SQL", exact: true }).click();
  const editor = page.getByRole("textbox", { name: "SQL" });
  await editor.fill("select id, total from orders order by id");
  await editor.press("Control+Enter");
  await expect(page.getByText("100 rows, and more, in")).toBeVisible();
  await page.getByRole("button", { name: "Next rows" }).click();
  await expect(page.getByRole("table", { name: "Rows" })).toContainText("101");

  await page.getByRole("button", { name: "Explain" }).click();
  await expect(page.getByRole("region", { name: "Plan" })).toContainText("orders");

  await editor.fill("select nothing from nowhere");
  await page.getByRole("button", { name: "Run query" }).click();
  await expect(page.getByText('relation "nowhere" does not exist').first()).toBeVisible();

  await page.getByRole("button", { name: "History" }).click();
  await page.getByRole("menuitem", { name: "select id, total from orders order by id" }).click();
  await expect(editor).toHaveText("select id, total from orders order by id");
  const statements = () =>
    page.evaluate(() => Object.values(window.localStorage).filter((value) => value.includes("orders")));
  expect(await statements()).toHaveLength(1);
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL("/sign-in");
  expect(await statements()).toEqual([]);
});

test("a change tells what it would do before it is made", async ({ page }) => {
  await provision(page);
  await fill(page);
  await page.goto("/database/sql");
  await page.getByRole("textbox", { name: "SQL" }).fill("delete from orders where id > 100");
  await page.getByRole("button", { name: "Make change" }).click();
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toContainText("20 rows would be changed.");
  await dialog.getByRole("button", { name: "Make change" }).click();
  await expect(page.getByText("20 rows are changed.")).toBeVisible();
});

test("rows are paged through, changed where they stand, added and deleted", async ({ page }) => {
  await provision(page);
  await fill(page);
  await page.reload();
  await page.getByRole("link", { name: "orders" }).click();
  const rows = page.getByRole("table", { name: "orders" });
  await expect(rows).toContainText("order 50");
  await page.getByRole("button", { name: "Load more" }).click();
  await expect(rows).toContainText("order 100");

  await page.getByRole("button", { name: "note of row 2: order 2" }).dblclick();
  await page.getByRole("textbox", { name: "note of row 2" }).fill("changed by hand");
  await page.getByRole("textbox", { name: "note of row 2" }).press("Enter");
  await expect(page.getByRole("button", { name: "note of row 2: changed by hand" })).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("button", { name: "note of row 3: order 3" })).toBeFocused();

  await page.getByRole("button", { name: "Delete row 1", exact: true }).click();
  await expect(page.getByRole("alertdialog")).toContainText("The row with id 1 is deleted for good.");
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete row" }).click();
  await expect(page.getByRole("button", { name: "id of row 1: 2" })).toBeVisible();

  await page.getByRole("button", { name: "New row" }).click();
  await page.getByRole("textbox", { name: "id", exact: true }).fill("1");
  await page.getByRole("textbox", { name: "note", exact: true }).fill("back again");
  await page.getByRole("button", { name: "Insert row" }).click();
  await expect(page.getByRole("button", { name: "note of row 1: back again" })).toBeVisible();
});

test("a copy is exported, downloaded, and refused by a database that is not empty", async ({ page }) => {
  await provision(page);
  await fill(page);
  await page.goto("/database/copies");
  await page.getByRole("button", { name: "Export database" }).click();
  const link = page.getByRole("link", { name: "Download" });
  await expect(link).toBeVisible();
  const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
  const file = await download.path();
  await page.getByLabel("Archive").setInputFiles(file);
  await page.getByLabel("Check only").check();
  await page.getByRole("button", { name: "Check archive" }).click();
  await expect(page.getByText("orders: kept, 120 rows")).toBeVisible();
  await page.getByLabel("Check only").uncheck();
  await page.getByRole("button", { name: "Import archive" }).click();
  await expect(page.getByText("The archive was not imported.")).toBeVisible();

  await page.goto("/database");
  await page.getByRole("link", { name: "Copies" }).click();
  const copies = page.getByRole("table", { name: "Exports and imports" });
  await copies.getByRole("link", { name: "Export" }).click();
  await expect(link).toBeVisible();
});

test("the pages keep to the looks of every page, before and after", async ({ page }) => {
  await signUp(page, "/database");
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "Provision database" }).click();
  await expect(page.getByText("No tables yet")).toBeVisible();
  await fill(page);
  for (const path of [
    "/database",
    "/database/tables/orders",
    "/database/tables/orders/new",
    "/database/copies",
    "/database/sql",
  ]) {
    await page.goto(path);
    await expectGoodLooks(page);
  }
  await page.getByRole("button", { name: "Run query" }).click();
  await expect(page.getByText("1 row in")).toBeVisible();
  await expectGoodLooks(page);
});
