import { expect, type Page, test } from "@playwright/test";
import { change, fill, provision } from "./databases.ts";
import { expectGoodLooks } from "./looks.ts";
import { exported } from "./tables.ts";

const cell = (page: Page, column: string, row: number, value: string) =>
  page.getByRole("button", { name: `${column} of row ${row}: ${value}`, exact: true });

async function edit(page: Page, column: string, row: number, value: string, next: string) {
  await cell(page, column, row, value).dblclick();
  const field = page.getByRole("textbox", { name: `${column} of row ${row}` });
  await field.fill(next);
  await field.press("Enter");
}

test("rows are paged through, changed and deleted in one reviewed change, and added", async ({ page }) => {
  await provision(page);
  await fill(page);
  await page.goto("/database/tables/orders");
  const rows = page.getByRole("table", { name: "orders" });
  await expect(rows).toContainText("order 50");
  await page.getByRole("button", { name: "Load more" }).click();
  await expect(rows).toContainText("order 100");

  await edit(page, "note", 2, "order 2", "changed by hand");
  await expect(cell(page, "note", 2, "changed by hand")).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(cell(page, "note", 3, "order 3")).toBeFocused();
  await edit(page, "total", 3, "4.5", "10.25");
  // Leaving a cell takes its text, and Escape leaves it as it was.
  await cell(page, "note", 4, "order 4").dblclick();
  await page.getByRole("textbox", { name: "note of row 4" }).fill("left");
  await cell(page, "total", 4, "6.0").click();
  await expect(cell(page, "note", 4, "left")).toBeVisible();
  await cell(page, "note", 4, "left").dblclick();
  await page.getByRole("textbox", { name: "note of row 4" }).fill("never");
  await page.keyboard.press("Escape");
  await expect(cell(page, "note", 4, "left")).toBeVisible();
  await page.getByRole("button", { name: "Delete row 1", exact: true }).click();
  await page.getByRole("checkbox", { name: "Choose row 5", exact: true }).check();
  await page.getByRole("checkbox", { name: "Choose row 6", exact: true }).check();
  await page.getByRole("button", { name: "Delete chosen rows" }).click();
  await expectGoodLooks(page);

  await page.getByRole("button", { name: "Review changes" }).click();
  const review = page.getByRole("alertdialog");
  await expect(review).toContainText("Make 6 changes of orders?");
  await expect(review).toContainText("note: order 2 → changed by hand");
  await expect(review).toContainText("The row with id 5 is deleted.");
  await expect(review).toContainText("Tried and rolled back: each can be made.");
  await expectGoodLooks(page);
  await review.getByRole("button", { name: "Apply changes" }).click();
  await expect(page.getByText("6 changes of orders are made.")).toBeVisible();
  await expect(cell(page, "id", 1, "2")).toBeVisible();
  await expect(cell(page, "id", 4, "7")).toBeVisible();

  await page.getByRole("button", { name: "New row" }).click();
  const id = page.getByRole("textbox", { name: "id", exact: true });
  await page.getByRole("textbox", { name: "note", exact: true }).fill("back again");
  await page.getByRole("button", { name: "Insert row" }).click();
  await expect(id).toHaveAccessibleDescription(/null value in column "id"/);
  await expect(id).toBeFocused();
  await id.fill("1");
  await page.getByRole("button", { name: "Insert row" }).click();
  await expect(cell(page, "note", 1, "back again")).toBeVisible();
});

test("a row that somebody else has changed meanwhile is named, and nothing is changed", async ({ page }) => {
  await provision(page);
  await fill(page);
  await page.goto("/database/tables/orders");
  await edit(page, "note", 1, "order 1", "mine");
  await edit(page, "note", 2, "order 2", "mine too");
  await change(page, "update orders set total = 99 where id = 2");
  await page.getByRole("button", { name: "Review changes" }).click();
  const review = page.getByRole("alertdialog");
  await expect(review).toContainText("The row with id 2 was changed or deleted by somebody else");
  await expectGoodLooks(page);
  await review.getByRole("button", { name: "Drop this change" }).click();
  await expect(review).toContainText("Tried and rolled back: each can be made.");
  await change(page, "delete from orders where id = 1");
  await review.getByRole("button", { name: "Apply changes" }).click();
  await expect(review).toContainText("The row with id 1 was changed or deleted by somebody else");
  await review.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Discard changes" }).click();
  await page.reload();
  await expect(cell(page, "note", 1, "order 2")).toBeVisible();
  await expect(cell(page, "total", 1, "99")).toBeVisible();
});

test("a choice and a typed value stay with their rows while others arrive before them", async ({ page }) => {
  await provision(page);
  await fill(page);
  await page.goto("/database/tables/orders");
  await page.getByRole("checkbox", { name: "Choose row 2", exact: true }).check();
  await cell(page, "note", 3, "order 3").dblclick();
  await page.getByRole("textbox", { name: "note of row 3" }).fill("typed");
  await change(page, "update orders set id = 0 where id = 1");
  await change(page, "update orders set id = 1 where id = 120");
  await expect(cell(page, "note", 2, "order 120")).toBeVisible();
  await expect(page.getByRole("checkbox", { name: "Choose row 2", exact: true })).not.toBeChecked();
  await expect(page.getByRole("checkbox", { name: "Choose row 3", exact: true })).toBeChecked();
  await page.getByRole("textbox", { name: "note of row 4" }).press("Enter");
  await page.getByRole("button", { name: "Delete chosen rows" }).click();
  await page.getByRole("button", { name: "Review changes" }).click();
  const review = page.getByRole("alertdialog");
  await expect(review).toContainText("The row with id 2 is deleted.");
  await expect(review).toContainText("note: order 3 → typed");
});

test("rows are filtered and sorted by any column, with the rows that have no value last", async ({
  page,
}) => {
  await provision(page);
  await fill(page);
  await change(page, "update orders set total = null where id > 90");
  await page.goto("/database/tables/orders");
  const total = page.getByRole("columnheader", { name: "total" });
  await total.getByRole("button").click();
  await expect(total).toHaveAttribute("aria-sort", "ascending");
  await total.getByRole("button").click();
  await expect(cell(page, "total", 1, "135.0")).toBeVisible();
  await page.getByRole("button", { name: "Load more" }).click();
  await expect(cell(page, "total", 90, "1.5")).toBeVisible();
  await expect(cell(page, "id", 91, "91")).toBeVisible();
  await page.getByRole("button", { name: "Load more" }).click();
  await expect(cell(page, "id", 120, "120")).toBeVisible();

  await page.getByRole("combobox", { name: "Column to filter" }).selectOption("note");
  await page.getByRole("combobox", { name: "Condition" }).selectOption("contains");
  await page.getByRole("textbox", { name: "Value to compare with" }).fill("ORDER 11");
  await page.getByRole("button", { name: "Add filter" }).click();
  await expect(cell(page, "id", 1, "11")).toBeVisible();
  await expect(page.getByRole("table", { name: "orders" }).getByRole("row")).toHaveCount(12);
  await page.getByRole("combobox", { name: "Column to filter" }).selectOption("total");
  await page.getByRole("combobox", { name: "Condition" }).selectOption("null");
  await page.getByRole("button", { name: "Add filter" }).click();
  await expect(page.getByRole("table", { name: "orders" }).getByRole("row")).toHaveCount(11);

  await page.getByText("Columns", { exact: true }).first().click();
  await page.getByRole("checkbox", { name: "Show total" }).uncheck();
  await expect(page.getByRole("columnheader", { name: "total" })).toBeHidden();
  await page.reload();
  await expect(cell(page, "id", 10, "119")).toBeVisible();
  await expect(page.getByRole("columnheader", { name: "total" })).toBeHidden();
  // The browser keeps the hidden columns of the table, whatever address opens it.
  await page.goto("/database/tables/orders");
  await expect(cell(page, "id", 50, "50")).toBeVisible();
  await expect(page.getByRole("columnheader", { name: "total" })).toBeHidden();
  await page.goBack();
  await expect(cell(page, "id", 10, "119")).toBeVisible();
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "Remove filter total is null" }).click();
  await expect(page.getByRole("table", { name: "orders" }).getByRole("row")).toHaveCount(12);
});

test("the rows that match the filters are counted, and exported in their order", async ({ page }) => {
  await provision(page);
  await fill(page);
  await change(
    page,
    "update orders set note = null, total = 0.5 where id = 110",
    "create table events as select n as id from generate_series(1, 12000) n",
    "analyze events",
  );
  await page.goto("/database/tables/orders");
  await expect(page.getByText("120 rows", { exact: true })).toBeVisible();
  await page.getByRole("columnheader", { name: "total" }).getByRole("button").click();
  await page.getByRole("combobox", { name: "Condition" }).selectOption("is more than");
  await page.getByRole("textbox", { name: "Value to compare with" }).fill("60");
  await page.getByRole("button", { name: "Add filter" }).click();
  await expect(page.getByText("60 rows", { exact: true })).toBeVisible();
  const [head, ...rows] = await exported(page);
  expect([head, rows.length]).toEqual(["id,note,total", 60]);
  expect([rows.at(0), rows.at(1), rows.at(59)]).toEqual([
    "110,,0.5",
    "61,order 61,91.5",
    "120,order 120,180.0",
  ]);

  // More rows than are counted, and than the export reads at once.
  await page.goto("/database/tables/events");
  await expect(page.getByText(/^about 1[12],\d{3} rows$/)).toBeVisible();
  expect(await exported(page)).toHaveLength(12_001);
});

test("an estimate agrees with the rows on screen, and a change of the database does not count again", async ({
  page,
}) => {
  await provision(page);
  await fill(page);
  await change(
    page,
    // PostgreSQL estimates one row, and takes longer to read all of them than a count may.
    "create view slow as select n as id from generate_series(1, 60) n where pg_sleep(0.03)::text = ''",
  );
  await page.goto("/database/tables/slow");
  await expect(page.getByText("about 50 rows")).toBeVisible();
  await page.getByRole("button", { name: "Load more" }).click();
  await expect(page.getByText("60 rows", { exact: true })).toBeVisible();

  let counts = 0;
  page.on("request", (request) => {
    if (request.postData()?.includes("count(*)")) counts += 1;
  });
  await page.goto("/database/tables/orders");
  await expect(page.getByText("120 rows", { exact: true })).toBeVisible();
  // A count without an answer is repeated.
  const before = counts;
  expect(before).toBeGreaterThan(0);
  await change(page, "update orders set note = 'changed' where id = 1");
  await expect(cell(page, "note", 1, "changed")).toBeVisible();
  expect(counts).toBe(before);
});

test("exported values are those of the database", async ({ page }) => {
  await provision(page);
  await change(
    page,
    "create table samples (id int primary key, tiny float8, huge float8, price numeric, delay interval, note text, doc jsonb, docs jsonb[])",
    `insert into samples values
      (1, -1e-7, -1.5e300, -1.10, '-1 days', '-abc', '{"n": 12345678901234567890, "price": 1.10}', array['1.10'::jsonb]),
      (2, null, null, null, null, '', 'null', null)`,
  );
  await page.goto("/database/tables/samples");
  await page.getByRole("columnheader", { name: "doc jsonb", exact: true }).getByRole("button").click();
  await expect(cell(page, "id", 1, "2")).toBeVisible();
  expect(await exported(page)).toEqual([
    "id,tiny,huge,price,delay,note,doc,docs",
    '2,,,,,"",null,',
    `1,-1e-7,-1.5e+300,-1.10,-1 days,'-abc,"{""n"": 12345678901234567890, ""price"": 1.10}",[1.10]`,
  ]);
});

test("a change that arrives while more rows are loading does not drop them", async ({ page }) => {
  await provision(page);
  await fill(page);
  await page.goto("/database/tables/orders");
  await expect(cell(page, "id", 50, "50")).toBeVisible();
  const held = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  await page.route("**/api/trpc/databases.query*", async (route) => {
    asked.resolve();
    await held.promise;
    await route.continue();
  });
  await page.getByRole("button", { name: "Load more" }).click();
  await asked.promise;
  await change(page, "update orders set note = 'changed' where id = 1");
  // Long enough for the page to receive the change and to act on it.
  await page.waitForTimeout(1_500);
  held.resolve();
  await expect(cell(page, "id", 100, "100")).toBeVisible();
  await expect(cell(page, "note", 1, "changed")).toBeVisible();
});

test("a foreign key leads to its row, and a view is read", async ({ page }) => {
  await provision(page);
  await change(
    page,
    'create table "Customers of ""us""" (id text, region int, name text, primary key (id, region))',
    `insert into "Customers of ""us""" values ('a', 1, 'Ada'), ('a''b & c', 2, 'Ben')`,
    'create table invoices (id int primary key, customer text, region int, foreign key (customer, region) references "Customers of ""us"""(id, region))',
    "insert into invoices values (1, 'a''b & c', 2), (2, null, null)",
    "create view open_invoices as select id from invoices",
  );
  await page.goto("/database/tables/invoices");
  await page.getByRole("link", { name: "Row that customer of row 1 refers to" }).click();
  await expect(page.getByRole("heading", { name: 'Customers of "us"' })).toBeVisible();
  await expect(cell(page, "name", 1, "Ben")).toBeVisible();
  await expect(page.getByRole("button", { name: "name of row 2" })).toBeHidden();
  await page.goBack();
  await expect(page.getByRole("link", { name: "Row that customer of row 2 refers to" })).toBeHidden();

  await page.goto("/database/tables/open_invoices");
  await expect(page.getByText("A view: its rows come from tables")).toBeVisible();
  await expect(page.getByRole("table", { name: "open_invoices" })).toContainText("2");
  await expectGoodLooks(page);
});
