import { expect, test } from "@playwright/test";
import { floodChanges } from "./changes-flood.ts";
import { mutate } from "./console-calls.ts";
import { createKey } from "./keys.ts";
import { expectGoodLooks } from "./looks.ts";
import { signUp } from "./people.ts";
import { act, dialog, exported, namesOf } from "./tables.ts";

const KEY_EXPORT =
  "Label,Parent,Depth,Prefix,Scopes,Status,Expires,Project,End user,Last used,Created,Revoked,Id";

test("a person revokes several keys at once, sees the outcome of each, and exports the other keys", async ({
  page,
}) => {
  await signUp(page);
  const key = (label: string) => createKey(page, { label, scopes: ["projects:read"] });
  const [, beta] = [await key("Alpha"), await key("Beta"), await key("=Gamma")];
  await page.goto("/api-keys?sort=label");
  await expect.poll(() => namesOf(page)).toEqual(["=Gamma", "Alpha", "Beta"]);
  await page.getByRole("checkbox", { name: "Choose Alpha" }).check();
  await expect(page.getByText("1 is chosen")).toBeVisible();
  await page.getByRole("link", { name: "Beta" }).focus();
  await page.keyboard.press("x");
  await expect(page.getByText("2 are chosen")).toBeVisible();
  await expectGoodLooks(page);
  // The list changes while rows are selected, and the selection stays.
  const other = await page.context().newPage();
  await other.goto("/api-keys?sort=label");
  await expect.poll(() => namesOf(other)).toEqual(["=Gamma", "Alpha", "Beta"]);
  await key("Aardvark");
  for (const tab of [page, other])
    await expect.poll(() => namesOf(tab)).toEqual(["=Gamma", "Aardvark", "Alpha", "Beta"]);
  for (const name of ["Alpha", "Beta"])
    await expect(page.getByRole("checkbox", { name: `Choose ${name}` })).toBeChecked();
  await expect(other.getByText("are chosen")).toHaveCount(0);
  await other.close();
  await page.getByRole("button", { name: "Revoke 2 keys" }).click();
  await expect(dialog(page)).toContainText("Nothing has happened yet.");
  await expectGoodLooks(page);
  // Another person revokes one of them first.
  await act(page, "apiKeys.revoke", { id: beta.id });
  await dialog(page).getByRole("button", { name: "Revoke", exact: true }).click();
  await expect(dialog(page)).toContainText("Done: 2 of 2.");
  await dialog(page).getByRole("button", { name: "Close" }).last().click();
  await expect(page.getByText("are chosen")).toHaveCount(0);

  await page.getByLabel("Status").selectOption("active");
  await expect(page.getByRole("row", { name: /=Gamma/ })).toBeVisible();
  await expect(page.getByRole("row", { name: /Alpha/ })).toHaveCount(0);
  const [head, ...rows] = await exported(page);
  expect(head).toBe(KEY_EXPORT);
  expect(rows).toHaveLength(2);
  expect(rows[0]).toMatch(/^'=Gamma,,0,svc_live_/);
  await page.getByLabel("Search").fill("nobody");
  await expect(page.getByText("Nothing matches these filters.")).toBeVisible();
});

const connection = (label: string): [string, object] => [
  "connections.create",
  { label, provider: "orders", authType: "bearer", secret: "s", allowedHosts: ["api.example.com"] },
];

const LISTS: { path: string; head: string; make: (name: string) => [string, object] }[] = [
  { path: "/projects", head: "Name", make: (name: string) => ["projects.create", { name }] },
  { path: "/wallets", head: "Wallet", make: (label: string) => ["wallets.create", { label }] },
  { path: "/connections", head: "Label", make: connection },
];

/** Lists whose resources a service stores under a name. */
const STORED: Record<string, (name: string) => object> = {
  "/memories": (name) => ({ serviceId: "managed-memory", input: { name, content: "Tea" } }),
  "/triggers": (name) => ({
    serviceId: "managed-triggers",
    input: {
      name,
      on: { everySeconds: 86_400 },
      start: { serviceId: "managed-memory", operationId: "put", input: { content: "Tea" } },
    },
  }),
  "/workflows/stored": (name) => ({
    serviceId: "managed-workflows",
    input: { name, workflow: { name, steps: [{ id: "a", type: "wait", seconds: 1 }] } },
  }),
};

for (const [path, put] of Object.entries(STORED))
  test(`a person sorts ${path} by name`, async ({ page }) => {
    await signUp(page);
    for (const name of ["bravo", "alpha", "charlie"])
      await act(page, "services.invoke", { operationId: "put", ...put(name) });
    await page.goto(path);
    await expect.poll(() => namesOf(page)).toEqual(["charlie", "alpha", "bravo"]);
    await page.getByRole("button", { name: "Name", exact: true }).click();
    await expect.poll(() => namesOf(page)).toEqual(["alpha", "bravo", "charlie"]);
    await page.getByRole("button", { name: "Name", exact: true }).click();
    await expect.poll(() => namesOf(page)).toEqual(["charlie", "bravo", "alpha"]);
  });

for (const { path, head, make } of LISTS)
  test(`a person searches, sorts, exports and configures ${path}`, async ({ page }) => {
    await signUp(page);
    for (const name of ["Bravo one", "Alpha", "=Bravo two"]) await act(page, ...make(name));
    await page.goto(path);
    await expect(page.getByRole("link", { name: "Alpha" })).toBeVisible();
    await page.getByRole("button", { name: head, exact: true }).click();
    await expect(page).toHaveURL(/sort=/);
    await expect.poll(() => namesOf(page)).toEqual(["=Bravo two", "Alpha", "Bravo one"]);
    await page.getByRole("button", { name: head, exact: true }).click();
    await expect.poll(() => namesOf(page)).toEqual(["Bravo one", "Alpha", "=Bravo two"]);
    await expect(page.getByRole("columnheader", { name: head, exact: true })).toHaveAttribute(
      "aria-sort",
      "descending",
    );
    await page.getByRole("searchbox", { name: "Search" }).fill("bravo");
    await expect.poll(() => namesOf(page)).toEqual(["Bravo one", "=Bravo two"]);
    const [names, ...rows] = await exported(page);
    expect(names).toMatch(new RegExp(`^${head},.*,Id$`));
    expect(rows).toHaveLength(2);
    expect(rows[1]).toMatch(/^'=Bravo two,/);
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.getByLabel("Status").selectOption("Active");
    await expect.poll(() => namesOf(page)).toHaveLength(3);

    await page.getByRole("button", { name: "Columns" }).click();
    await dialog(page).getByLabel("Id", { exact: true }).check();
    await dialog(page).getByLabel("Status").uncheck();
    await dialog(page).getByText("Dense rows").click();
    await dialog(page).getByLabel("Order").selectOption("Oldest first");
    await expectGoodLooks(page);
    await dialog(page).getByRole("button", { name: "Done" }).click();
    await expect.poll(() => namesOf(page)).toEqual(["Bravo one", "Alpha", "=Bravo two"]);
    await page.reload();
    await expect(page.getByRole("columnheader", { name: "Id", exact: true })).toBeVisible();
    await expect(page.getByRole("columnheader", { name: "Status" })).toHaveCount(0);
    const row = page.getByRole("row", { name: /Alpha/ });
    expect((await row.boundingBox())?.height).toBeLessThan(40);
    await expectGoodLooks(page);

    await page.setViewportSize({ width: 320, height: 800 });
    expect((await row.boundingBox())?.height).toBeLessThan(65);
    await page.setViewportSize({ width: 1280, height: 800 });

    // Another person in the same browser has the default settings.
    await page.context().clearCookies();
    await signUp(page);
    await act(page, ...make("Charlie"));
    await page.goto(path);
    await expect(page.getByRole("columnheader", { name: "Status" })).toBeVisible();
    await expect(page.getByRole("columnheader", { name: "Id", exact: true })).toHaveCount(0);
  });

test("a list shows its total on every page and for every filter", async ({ page }) => {
  await signUp(page);
  for (let nth = 1; nth <= 27; nth++) await act(page, "projects.create", { name: `Shop ${nth}` });
  await page.goto("/projects");
  await expect(page.getByText("27 rows", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Older" }).click();
  await expect.poll(() => namesOf(page)).toHaveLength(2);
  await expect(page.getByText("27 rows", { exact: true })).toBeVisible();
  await page.goto("/projects?search=Shop%202");
  await expect(page.getByText("9 rows", { exact: true })).toBeVisible();
  expect(await exported(page)).toHaveLength(10);
  await expectGoodLooks(page);
  await page.getByRole("checkbox", { name: "Choose all on this page" }).check();
  await expect(page.getByRole("button", { name: "Restore 0 projects" })).toBeDisabled();
  await page.getByRole("button", { name: "Archive 9 projects" }).click();
  await dialog(page).getByRole("button", { name: "Archive", exact: true }).click();
  await expect(dialog(page)).toContainText("Done: 9 of 9.");
  await dialog(page).getByRole("button", { name: "Close" }).last().click();
  await expect(page.getByRole("cell", { name: "Archived" })).toHaveCount(9);
});

test("a later page that has become empty leads back to the newer one", async ({ page }) => {
  await signUp(page);
  const { project } = await mutate(page, "projects.create", { name: "Oldest" });
  for (let nth = 1; nth <= 25; nth++) await act(page, "projects.create", { name: `Shop ${nth}` });
  await page.goto("/projects?status=active");
  await page.getByRole("button", { name: "Older" }).click();
  await expect.poll(() => namesOf(page)).toEqual(["Oldest"]);
  await act(page, "projects.archive", { projectId: project.id });
  await expect(page.getByText("Nothing is left on this page.")).toBeVisible();
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "Newer" }).click();
  await expect.poll(() => namesOf(page)).toHaveLength(25);
});

test("a list stays usable and gets up to date while a thousand changes a second arrive", async ({ page }) => {
  await signUp(page, "/");
  const { connection: shop } = await mutate(page, ...connection("Shop"));
  await act(page, ...connection("Depot"));
  const flood = await floodChanges(page, "connections");
  await page.goto("/connections");
  await expect.poll(flood.sent).toBeGreaterThan(1_000);

  await page.getByRole("checkbox", { name: "Choose Depot" }).check();
  const search = page.getByRole("searchbox", { name: "Search" });
  await search.pressSequentially("shop");
  await expect.poll(() => namesOf(page)).toEqual(["Shop"]);
  await act(page, ...connection("Workshop"));
  await expect.poll(() => namesOf(page)).toEqual(["Workshop", "Shop"]);
  await expect(search).toHaveValue("shop");
  await expect(page.getByText("1 is chosen")).toBeVisible();
  await page.getByRole("button", { name: "Label", exact: true }).click();
  await expect.poll(() => namesOf(page)).toEqual(["Shop", "Workshop"]);
  await page.getByRole("checkbox", { name: "Choose Shop" }).check();
  await page.getByRole("button", { name: "Delete 2 connections" }).click();
  // Another person deletes one of them first.
  await act(page, "connections.delete", { connectionId: shop.id });
  await expect.poll(() => namesOf(page)).toEqual(["Workshop"]);
  await dialog(page).getByRole("button", { name: "Delete", exact: true }).click();
  await expect(dialog(page)).toContainText("Done: 1 of 2.");
  await expect(dialog(page).getByRole("listitem").filter({ hasText: "Depot" })).toContainText("Done");
  await expect(dialog(page).getByRole("listitem").filter({ hasText: "Shop" })).toContainText(
    `No connection ${shop.id}.`,
  );
  await dialog(page).getByRole("button", { name: "Close" }).last().click();
  await search.fill("");
  await expect.poll(() => namesOf(page)).toEqual(["Workshop"]);
  await expect.poll(flood.sent).toBeGreaterThan(4_000);
  expect(flood.reads()).toBeLessThan(flood.mostReads());
  await flood.stop();
});

/** The operation (or the start of several) of each list with a search whose flood no other journey covers, by page. */
const FLOODED = {
  "/agents": "runs.list",
  // A tree until it is searched.
  "/api-keys": "apiKeys.",
  "/artifacts": "artifacts.list",
  "/credits": "credits.ledger.list",
  "/files": "files.list",
  "/members": "members.list",
  "/memories": "memories.list",
  "/projects": "projects.list",
  "/services": "services.list",
  "/trading": "trading.orders.list",
  "/triggers": "triggers.list",
  "/wallets": "wallets.list",
  "/wallets/contacts": "wallets.contacts.list",
  "/webhooks": "webhooks.list",
  "/workflows": "runs.list",
  "/workflows/stored": "workflows.list",
};

test("each list takes a search and is read rarely while a thousand changes a second arrive", async ({
  page,
}) => {
  test.slow();
  await signUp(page, "/");
  for (const [path, list] of Object.entries(FLOODED)) {
    const flood = await floodChanges(page, list.replace(/\..*/, ""), list);
    await page.goto(path);
    await expect.poll(flood.sent, path).toBeGreaterThan(300);
    await expect.poll(flood.reads, path).toBeGreaterThan(1);
    const search = page.getByRole("searchbox", { name: "Search" }).first();
    await search.pressSequentially("shop");
    await expect(page, path).toHaveURL(/[?&]search=shop$/);
    await expect(search).toHaveValue("shop");
    expect(flood.reads(), path).toBeLessThan(flood.mostReads());
    await flood.stop();
  }
});

test("a person who searches keys can continue typing while a list replaces the tree", async ({ page }) => {
  await signUp(page);
  for (const label of ["Alpha", "Beta"]) await createKey(page, { label, scopes: ["projects:read"] });
  await page.goto("/api-keys");
  await expect.poll(() => namesOf(page)).toEqual(["Beta", "Alpha"]);
  const search = page.getByRole("searchbox", { name: "Search" });
  await search.pressSequentially("alp");
  await expect.poll(() => namesOf(page)).toEqual(["Alpha"]);
  await expect(search).toBeFocused();
  await search.pressSequentially("ha");
  await expect(page).toHaveURL("/api-keys?search=alpha");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.getByRole("button", { name: "Columns" }).click();
  await dialog(page).getByLabel("Order").selectOption("Label, A to Z");
  await dialog(page).getByRole("button", { name: "Done" }).click();
  await expect.poll(() => namesOf(page)).toEqual(["Alpha", "Beta"]);
});
