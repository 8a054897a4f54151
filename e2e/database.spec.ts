import { expect, test } from "@playwright/test";
import { change, fill, provision } from "./databases.ts";
import { callApi, createKey } from "./keys.ts";
import { expectGoodLooks } from "./looks.ts";
import { signUp } from "./people.ts";
import { exported, namesOf } from "./tables.ts";

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
  expect(await statements()).toHaveLength(2);
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL("/sign-in");
  expect(await statements()).toEqual([]);
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
  await page.getByLabel("Id", { exact: true }).fill("xfer_7");
  await expect(page.getByText("Nothing matches these filters.")).toBeVisible();
});

test("tables, views and functions are listed beside the rows, with their sizes", async ({ page }) => {
  await provision(page);
  await fill(page);
  await change(
    page,
    "analyze orders",
    "create materialized view totals as select sum(total) from orders",
    "create view large as select * from orders where total > 100",
    "create function twice(n int) returns int language sql as 'select n * 2'",
  );
  await page.goto("/database");
  await expect(page.getByRole("table", { name: "Functions" })).toContainText("twice");
  await page.getByRole("table", { name: "Views" }).getByRole("link", { name: "large" }).click();
  const side = page.getByRole("complementary", { name: "Schema" });
  await expect(side.getByRole("link", { name: /^orders/ })).toHaveText(/about 120 rows, \d+(\.\d)? KB$/);
  await expect(side.getByRole("link", { name: /^totals/ })).toHaveText(/stored, about/);
  await expect(side.getByRole("list", { name: "Functions of the schema" })).toHaveText(
    "twice(n integer)function that returns integer",
  );
  await side.getByRole("button", { name: "Show the columns of orders" }).click();
  await expect(side.getByRole("list", { name: "Columns of orders" }).getByRole("listitem")).toHaveText([
    "idint4",
    "notetext",
    "totalnumeric",
  ]);
  await expectGoodLooks(page);
  await side.getByRole("link", { name: /^orders/ }).click();
  await expect(page.getByRole("table", { name: "orders" })).toContainText("order 50");
  await page.setViewportSize({ width: 320, height: 800 });
  await page.getByRole("button", { name: "Show schema" }).click();
  await expect(side.getByRole("link", { name: /^large/ })).toBeVisible();
});

test("tables are sorted by size and rows, and exported in that order", async ({ page }) => {
  await provision(page);
  await fill(page);
  await change(page, "create table empty (id int primary key, note text)", "analyze orders");
  await page.goto("/database");
  const tables = page.getByRole("table", { name: "Tables" });
  await expect.poll(() => namesOf(page)).toEqual(["empty", "orders"]);
  await tables.getByRole("button", { name: "Size" }).click();
  await expect.poll(() => namesOf(page)).toEqual(["orders", "empty"]);
  await expect(page).toHaveURL("/database?order=-size");
  await tables.getByRole("button", { name: "Rows" }).click();
  await tables.getByRole("button", { name: "Rows" }).click();
  await expect.poll(() => namesOf(page)).toEqual(["empty", "orders"]);
  await expectGoodLooks(page);
  const [head, first, second] = await exported(page);
  expect(head).toBe("Table,Columns,Rows,Size");
  expect(first).toMatch(/^empty,"?id int4 not null, key; note text"?,/);
  expect(second).toMatch(/^orders,.*,120,\d+$/);
});

test("a copy that a key has made is listed as one made here", async ({ page }) => {
  await provision(page);
  await fill(page);
  const { secret } = await createKey(page, { label: "Nightly copies", scopes: ["databases:write"] });
  await callApi(page.request, secret, "POST", "/databases/transfers", { direction: "export" });
  await page.goto("/database/copies?from=1h");
  const copies = page.getByRole("table", { name: "Exports and imports" });
  await expect(copies.getByRole("row", { name: "Export" })).toContainText("Ready");
  await copies.getByRole("link", { name: "Export" }).click();
  await expect(page).toHaveURL(/\?from=1h&transfer=xfer_/);
  await expect(page.getByRole("link", { name: "Download" })).toBeVisible();
  await expectGoodLooks(page);
});

test("the pages pass the checks of every page, before and after", async ({ page }) => {
  await signUp(page, "/database");
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "Provision database" }).click();
  await expect(page.getByText("No tables yet")).toBeVisible();
  await fill(page);
  for (const path of [
    "/database",
    "/database/tables/orders",
    "/database/tables/orders/new",
    "/database/tables/orders/import",
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
