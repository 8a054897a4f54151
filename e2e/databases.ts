import { expect, type Page } from "@playwright/test";
import { callApi, createKey } from "./keys.ts";
import { signUp } from "./people.ts";

/** Signs up a person whose account has a database. */
export async function provision(page: Page) {
  await signUp(page, "/database");
  await page.getByRole("button", { name: "Provision database" }).click();
  await expect(page.getByText("No tables yet")).toBeVisible({ timeout: 30_000 });
}

/** Creates a table of 120 orders with an API key. */
export async function fill(page: Page) {
  const { secret } = await createKey(page, { label: "Backend", scopes: ["databases:write"] });
  const sql =
    "create table orders as select n as id, 'order ' || n as note, n * 1.5 as total from generate_series(1, 120) n";
  const actions = [
    { type: "sql", sql },
    { type: "sql", sql: "alter table orders add primary key (id)" },
  ];
  await callApi(page.request, secret, "POST", "/databases/actions", { actions });
}

/** Runs statements with an API key, as another program would. */
export async function change(page: Page, ...statements: string[]) {
  const { secret } = await createKey(page, { label: "Program", scopes: ["databases:write"] });
  const actions = statements.map((sql) => ({ type: "sql", sql }));
  await callApi(page.request, secret, "POST", "/databases/actions", { actions });
}
