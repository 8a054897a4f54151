import { expect, type Page, test } from "@playwright/test";
import { change, provision } from "./databases.ts";
import { expectGoodLooks } from "./looks.ts";

async function choose(page: Page, lines: string[]) {
  const buffer = Buffer.from(lines.join("\r\n"));
  await page.getByLabel("CSV file").setInputFiles({ name: "people.csv", mimeType: "text/csv", buffer });
}

test("a CSV is checked line by line, and imported whole or not at all", async ({ page }) => {
  await provision(page);
  await change(
    page,
    "create table teams (name text primary key)",
    "insert into teams values ('red'), ('blue')",
    `create table people (id int8 primary key, "Full name" varchar(10) not null, born date, data jsonb default '{}', tags text[], team text references teams)`,
    "insert into people (id, \"Full name\") values (500, 'Zoe')",
  );
  await page.goto("/database/tables/people");
  await page.getByRole("button", { name: "Import CSV" }).click();
  const panel = page.getByRole("dialog");
  await choose(page, ["id,name", "1,Ada"]);
  await expect(panel).toContainText("Line 1, column name: people has no such column; it has id, Full name,");

  await choose(page, [
    "id,Full name,born",
    "1,Ada,1815-12-10",
    "2,,1912-02-30",
    "x3,Alan Mathison,1912-06-23",
  ]);
  await expect(panel).toContainText("Line 3, column Full name: The value is empty");
  await choose(page, [
    "id,Full name,born",
    "1,Ada,1815-12-10",
    "2,Ben,1912-02-30",
    "x3,Alan Mathison,1912-06-23",
  ]);
  await expect(panel).toContainText("Line 3, column born: date/time field value out of range");
  await expect(panel).toContainText('Line 4, column id: invalid input syntax for type bigint: "x3"');
  await expect(panel).toContainText(
    "Line 4, column Full name: value too long for type character varying(10)",
  );
  await expect(panel.getByRole("button", { name: "Import rows" })).toBeDisabled();
  await expectGoodLooks(page);

  // A row that only a constraint refuses is found among many lines by bisection.
  const rows = Array.from(
    { length: 1000 },
    (_, place) => `${place + 1},"P, ${place + 1}",,"{""n"": 12345678901234567890}","{a,""b c""}",red`,
  );
  const header = "id,Full name,born,data,tags,team";
  await choose(page, [header, ...rows]);
  await expect(panel).toContainText("Line 501, column id: duplicate key value violates unique constraint");
  await choose(page, [header, ...rows.slice(0, 400), "1001,Eve,,,,green"]);
  await expect(panel).toContainText("Line 402, column team: insert or update on table");

  await choose(page, [header, ...rows.slice(0, 499)]);
  await expect(panel).toContainText("Tried and rolled back: 499 rows can be imported.");
  await expect(panel.getByRole("table", { name: "Preview" })).toContainText("P, 1");
  await expectGoodLooks(page);
  await panel.getByRole("button", { name: "Import 499 rows" }).click();
  await expect(page.getByText("499 rows are imported.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Full name of row 1: P, 1", exact: true })).toBeVisible();
  await page.goto("/database/sql");
  const editor = page.getByRole("textbox", { name: "SQL" });
  await editor.fill(
    "select count(*)::int || ' people, ' || max(data::text) || max(tags[2]) from people where id < 500",
  );
  await editor.press("Control+Enter");
  await expect(page.getByText('499 people, {"n": 12345678901234567890}b c')).toBeVisible();
});

test("a file that is no CSV in UTF-8, or too large for one call, is refused with the reason", async ({
  page,
}) => {
  await provision(page);
  await change(page, "create table notes (note text, at date)");
  await page.goto("/database/tables/notes/import");
  const panel = page.getByRole("dialog");
  await page
    .getByLabel("CSV file")
    .setInputFiles({ name: "a.csv", mimeType: "text/csv", buffer: Buffer.from([0x6e, 0x0a, 0xff, 0xfe]) });
  await expect(panel).toContainText("Line 1: The file is not UTF-8.");
  await choose(page, ["at", "2026-01-01", "never"]);
  await expect(panel).toContainText('Line 3, column at: invalid input syntax for type date: "never"');
  await choose(page, ["note", '"never closed', "more"]);
  await expect(panel).toContainText("Line 2: The quotation mark that opens a value has no end.");
  await choose(page, [
    "note",
    ...Array.from({ length: 60_000 }, (_, place) => `a note of some length, ${place}`.replace(",", "")),
  ]);
  await expect(panel).toContainText("Split the file after about");
});
