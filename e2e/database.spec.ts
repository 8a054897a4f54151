import { expect, test } from "@playwright/test";
import { callApi, createKey } from "./keys.ts";
import { expectGoodLooks } from "./looks.ts";
import { signUp } from "./people.ts";

test("a database is provisioned, filled by a key, and asked in the browser", async ({ page }) => {
  await signUp(page, "/database");
  await expect(page.getByText("No database yet")).toBeVisible();
  await page.getByRole("button", { name: "Provision database" }).click();
  await expect(page.getByText("No tables yet")).toBeVisible();

  const { secret } = await createKey(page, { label: "Backend", scopes: ["databases:write"] });
  const sql = "create table orders as select n as id, n * 1.5 as total from generate_series(1, 250) n";
  await callApi(page.request, secret, "POST", "/databases/actions", { actions: [{ type: "sql", sql }] });
  await page.reload();
  await expect(page.getByRole("table", { name: "Tables" })).toContainText("orders");

  const editor = page.getByRole("textbox", { name: "SQL" });
  await editor.fill("select id, total from orders order by id");
  await editor.press("Control+Enter");
  await expect(page.getByText("100 rows, and more, in")).toBeVisible();
  await page.getByRole("button", { name: "Next rows" }).click();
  await expect(page.getByRole("table", { name: "Rows" })).toContainText("101");

  await editor.fill("select nothing from nowhere");
  await page.getByRole("button", { name: "Run query" }).click();
  await expect(page.getByText('relation "nowhere" does not exist').first()).toBeVisible();
});

test("the page keeps to the looks of every page, before and after", async ({ page }) => {
  await signUp(page, "/database");
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "Provision database" }).click();
  await expect(page.getByText("No tables yet")).toBeVisible();
  await page.getByRole("button", { name: "Run query" }).click();
  await expect(page.getByText("0 rows in")).toBeVisible();
  await expectGoodLooks(page);
});
