import { readFileSync } from "node:fs";
import { expect, type Locator, type Page, test } from "@playwright/test";
import { change, fill, provision } from "./databases.ts";
import { expectGoodLooks } from "./looks.ts";

const editorOf = (page: Page) => page.getByRole("textbox", { name: "SQL" });

test("a change is tried by the key that runs a query, and applied by one more press", async ({ page }) => {
  await provision(page);
  await fill(page);
  await page.goto("/database/sql");
  const editor = editorOf(page);
  await editor.fill("delete from orders where id > 100");
  await editor.press("Control+Enter");
  const trial = page.getByRole("region", { name: "Trial", exact: true });
  await expect(trial).toContainText("DELETE would change 20 rows.");
  await expectGoodLooks(page);
  await editor.press("Control+Enter");
  await expect(trial).toContainText("DELETE would change 20 rows.");
  await trial.getByRole("button", { name: "Apply change" }).click();
  await expect(page.getByText("Applied: DELETE, 20 rows.")).toBeVisible();
  await expect(trial).toBeHidden();

  // PostgreSQL detects a write that begins like a query.
  await editor.fill("with gone as (delete from orders where id = 1 returning id) select id from gone");
  await editor.press("Control+Enter");
  await expect(trial.getByRole("table", { name: "Rows of the trial" })).toContainText("1");
  await editor.press("Control+Shift+Enter");
  await expect(page.getByText("Applied: SELECT, 1 row.")).toBeVisible();

  await editor.fill("alter table orders add column paid bool");
  await editor.press("Control+Enter");
  await expect(trial).toContainText("ALTER TABLE would succeed.");
  await editor.fill("select count(*)::int from orders");
  await expect(trial).toBeHidden();
  await editor.press("Control+Enter");
  await expect(page.getByRole("table", { name: "Rows" })).toContainText("99");
});

test("a change is not applied to other rows than it was tried on", async ({ page }) => {
  await provision(page);
  await fill(page);
  await page.goto("/database/sql");
  await editorOf(page).fill("update orders set note = 'late' where id > 100");
  await page.getByRole("button", { name: "Run query" }).click();
  const trial = page.getByRole("region", { name: "Trial", exact: true });
  await expect(trial).toContainText("UPDATE would change 20 rows.");
  await change(page, "delete from orders where id = 120");
  await trial.getByRole("button", { name: "Apply change" }).click();
  await expect(page.getByText("Rows were changed since the trial")).toBeVisible();
  await page.getByRole("button", { name: "Try it again" }).click();
  await expect(trial).toContainText("UPDATE would change 19 rows.");
  await trial.getByRole("button", { name: "Apply change" }).click();
  await expect(page.getByText("Applied: UPDATE, 19 rows.")).toBeVisible();
});

test("the editor takes the window's height that the page leaves, and gives way to rows", async ({ page }) => {
  await provision(page);
  await fill(page);
  await page.setViewportSize({ width: 1280, height: 1200 });
  await page.goto("/database/sql");
  const heightOf = async (box: Locator) => (await box.boundingBox())?.height ?? 0;
  const editor = page.locator(".cm-editor");
  await expect.poll(() => heightOf(editor)).toBeGreaterThan(600);
  await editorOf(page).fill("select * from orders");
  await editorOf(page).press("Control+Enter");
  const rows = page.getByRole("region", { name: "Rows" });
  await expect.poll(() => heightOf(rows)).toBeGreaterThan(500);
  expect(await heightOf(editor)).toBeLessThan(200);
  expect(
    await page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight),
  ).toBeLessThanOrEqual(0);
  await editorOf(page).fill("select 1\n".repeat(200));
  await expect.poll(() => heightOf(editor)).toBe(598);
});

test("results are seen as JSON and exported over all pages", async ({ page }) => {
  await provision(page);
  await fill(page);
  await page.goto("/database/sql");
  await editorOf(page).fill("select id, note, -total as owed from orders order by id");
  await page.getByRole("button", { name: "Run query" }).click();
  await expect(page.getByText("100 rows, and more, in")).toBeVisible();
  await page.getByRole("button", { name: "Next rows" }).click();
  await expect(page.getByText("20 rows after 100 in")).toBeVisible();
  await page.getByRole("radio", { name: "Chart" }).check();
  const chart = page.getByRole("figure").filter({ hasText: "owed by note" });
  await chart.getByText("Show the numbers").click();
  await expect(chart.getByRole("row", { name: "order 101" })).toContainText("-151.5");
  await page.getByRole("combobox", { name: "Along the axis" }).selectOption("id");
  await page.getByRole("checkbox", { name: "owed" }).uncheck();
  await expect(chart).toBeHidden();
  await expectGoodLooks(page);
  await page.getByRole("radio", { name: "JSON" }).check();
  await expect(page.getByRole("region", { name: "JSON" })).toContainText('"note": "order 101"');
  await expectGoodLooks(page);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export as CSV" }).click(),
  ]);
  const lines = readFileSync(await download.path(), "utf8")
    .trim()
    .split("\r\n");
  expect(lines).toHaveLength(121);
  expect([lines[0], lines[1], lines[120]]).toEqual([
    "id,note,owed",
    "1,order 1,-1.5",
    "120,order 120,-180.0",
  ]);
});

test("a plan is a tree, which is compared with the one before", async ({ page }) => {
  await provision(page);
  await fill(page);
  await page.goto("/database/sql");
  await editorOf(page).fill("select * from orders where note = 'order 5' order by total");
  await page.getByRole("button", { name: "Explain" }).click();
  const plan = page.getByRole("region", { name: "Plan", exact: true });
  const before = page.getByRole("region", { name: "The plan before" });
  await expect(plan).toContainText("Sort");
  await expect(plan).toContainText("Seq Scan on orders");
  await expect(plan).toContainText("Filter: (note = 'order 5'::text)");
  await expect(before).toHaveCount(0);
  await page.getByRole("button", { name: "Run and time" }).click();
  await expect(plan).toContainText("really 1 rows in");
  await expect(before).toContainText("Seq Scan on orders");
  await expect(before).not.toContainText("Gone");

  await editorOf(page).fill("select * from orders where note = 'order 6' order by total");
  await page.getByRole("button", { name: "Explain" }).click();
  const scan = (tree: Locator) => tree.getByRole("listitem").last();
  await expect(scan(plan)).toHaveText(/^Seq Scan on ordersNew/);
  await expect(scan(before)).toHaveText(/^Seq Scan on ordersGone/);
  // The sort above it is the same in both.
  await expect(plan.getByText("New", { exact: true })).toHaveCount(1);
  await expectGoodLooks(page);
});

test("open queries outlast the page, saved ones the session", async ({ page }) => {
  await provision(page);
  await fill(page);
  await page.goto("/database/sql");
  await editorOf(page).fill("select 1 as one");
  await page.getByRole("button", { name: "Run query" }).click();
  await expect(page.getByText("1 row in")).toBeVisible();
  await page.getByRole("button", { name: "New query" }).click();
  await editorOf(page).fill("select note from orders where id = 7");
  await page.getByRole("button", { name: "1. select 1 as one" }).click();
  await expect(page.getByRole("table", { name: "Rows" })).toContainText("one");

  await page.reload();
  await page.getByRole("button", { name: "2. select note from orders where id = 7" }).click();
  await expect(editorOf(page)).toHaveText("select note from orders where id = 7");
  await page.getByRole("button", { name: "Saved queries" }).click();
  await page.getByRole("textbox", { name: "Name of the query" }).fill("Seventh order");
  await page.getByRole("button", { name: "Save query" }).click();
  await expect(page.getByRole("list", { name: "Saved" })).toContainText("Seventh order");
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "Close", exact: true }).click();
  await page.getByRole("button", { name: "Close query 2" }).click();
  await page.getByRole("button", { name: "Saved queries" }).click();
  await page.getByRole("button", { name: "Seventh order select note" }).click();
  await expect(editorOf(page)).toHaveText("select note from orders where id = 7");

  const kept = () =>
    page.evaluate(() => Object.keys(window.localStorage).filter((key) => key.startsWith("database.sql.")));
  expect((await kept()).length).toBe(3);
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL("/sign-in");
  expect((await kept()).map((key) => key.replace(/\/.*/, ""))).toEqual(["database.sql.saved"]);
});

test("two windows keep each other's open queries", async ({ page, context }) => {
  await provision(page);
  await page.goto("/database/sql");
  await editorOf(page).fill("select 1 as one");
  await page.getByRole("button", { name: "New query" }).click();
  await editorOf(page).fill("select 2 as two");
  const other = await context.newPage();
  await other.goto("/database/sql");
  await expect(editorOf(other)).toHaveText("select 1 as one");
  await editorOf(other).fill("select 1 as other");
  await expect(page.getByRole("button", { name: "1. select 1 as other" })).toBeVisible();
  // The window keeps the query that it shows.
  await expect(editorOf(page)).toHaveText("select 2 as two");
  await editorOf(page).fill("select 2 as changed");
  await expect(other.getByRole("button", { name: "2. select 2 as changed" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("button", { name: "2. select 2 as changed" })).toBeVisible();
  await expect(editorOf(page)).toHaveText("select 1 as other");
});
