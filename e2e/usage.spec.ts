import { expect, type Page, test } from "@playwright/test";
import { callApi, createKey } from "./keys.ts";
import { expectGoodLooks } from "./looks.ts";
import { signUp } from "./people.ts";
import { exported, namesOf } from "./tables.ts";

/** Makes five successful calls, one refused for its scope and two refused by a limit; one of them costs a credit. */
async function useAccount(page: Page) {
  await signUp(page);
  const { secret } = await createKey(page, {
    label: "Backend",
    scopes: ["projects:read", "projects:write", "services:invoke"],
    limits: { "projects.list": { requestsPerMinute: 3 } },
  });
  const { body } = await callApi(page.request, secret, "POST", "/projects", { name: "Storefront" });
  for (let call = 0; call < 5; call++) await callApi(page.request, secret, "GET", "/projects");
  await callApi(page.request, secret, "GET", "/usage");
  const put = { operationId: "put", input: { content: "Tea, not coffee." } };
  await callApi(page.request, secret, "POST", "/services/managed-memory/invoke", put, {
    "x-service-project": body.project.id,
  });
  return secret;
}

const row = (page: Page, by: string, name: string) =>
  page
    .getByRole("table", { name: `Usage by ${by}` })
    .getByRole("row")
    .filter({ hasText: name });

test("usage shows a key's calls, their outcomes and cost, and keeps its filters", async ({ page }) => {
  await useAccount(page);
  await page.goto("/usage");
  await expect(row(page, "operation", "projects.list").getByRole("cell").nth(4)).toHaveText("2");
  await expect(row(page, "operation", "services.invoke").getByRole("cell").nth(5)).toHaveText("1");

  await page.getByLabel("Keys", { exact: true }).check();
  await expect(row(page, "key", "Backend")).toContainText(/Backend\s*8/);
  await page.getByLabel("7 days").check();
  await page.getByRole("button", { name: "Project: All projects" }).click();
  await page.getByRole("option", { name: "Storefront" }).click();
  await expect(row(page, "key", "Backend")).toContainText(/Backend\s*1/);
  await expect(page).toHaveURL(/\?by=key&period=7&projectId=proj_\w+$/);
  const narrowed = page.url();

  await page.goto("/usage?by=key");
  await row(page, "key", "Ada Lovelace (you)").getByRole("button").click();
  await page.getByRole("menuitem", { name: "Only this person" }).click();
  await expect(page.getByLabel("Person", { exact: true })).toHaveValue(/^mbr_/);
  await expect(row(page, "key", "Backend")).toHaveCount(0);
  await row(page, "key", "Ada Lovelace (you)").getByRole("link").click();
  await expect(page).toHaveURL(/\/audit\?from=[^&]+&memberId=mbr_\w+$/);
  await page.goto(narrowed);

  await row(page, "key", "Backend").getByRole("button").click();
  await page.getByRole("menuitem", { name: "Only this key" }).click();
  await expect(page.getByLabel("Key", { exact: true })).toHaveValue(/^key_/);
  await page.reload();
  await expect(page.getByLabel("7 days")).toBeChecked();
  await expect(page.getByRole("button", { name: "Project: Storefront" })).toBeVisible();
  await expect(row(page, "key", "Backend")).toContainText(/Backend\s*1/);
});

test("usage is sorted by any number, and exported in whole", async ({ page }) => {
  await useAccount(page);
  await page.goto("/usage");
  const table = page.getByRole("table", { name: "Usage by operation" });
  const names = () => namesOf(page);
  await expect(table).toContainText("services.invoke");
  const credits = table.getByRole("columnheader", { name: "Credits" });
  await credits.getByRole("button").click();
  await expect(credits).toHaveAttribute("aria-sort", "descending");
  await expect.poll(async () => (await names())[0]).toBe("services.invoke");
  await credits.getByRole("button").press("Enter");
  await expect(credits).toHaveAttribute("aria-sort", "ascending");
  await expect.poll(async () => (await names()).at(-1)).toBe("services.invoke");
  await page.reload();
  await expect.poll(async () => (await names()).at(-1)).toBe("services.invoke");
  await page.getByLabel("Keys", { exact: true }).check();
  await expect(row(page, "key", "Backend")).toBeVisible();
  const [head, ...rows] = await exported(page);
  expect(head).toBe("Key,Id,Requests,Share,Errors,Limited,Credits,p50,p95,p99");
  expect(rows.find((line) => line.startsWith("Backend"))).toMatch(/^Backend,key_\w+,8,0\.\d+,1,2,1,\d+/);
  await expectGoodLooks(page);
  expect(rows.map((line) => line.split(",")[0])).toEqual(await names());
  expect(rows.at(-1)).toMatch(/^Backend/);

  // An export waits for the rows of filters that were just set.
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/usage\.read/, async (route) => {
    await released;
    await route.continue();
  });
  await page.getByLabel("Outcome", { exact: true }).selectOption("Denied");
  const denied = exported(page);
  await expect(page.getByRole("button", { name: "Exporting 0 rows" })).toBeVisible();
  release();
  expect((await denied).slice(1)).toEqual([expect.stringMatching(/^Backend,key_\w+,3,1,1,2,0,/)]);
});

test("usage says below its table, and of an export, that there are more groups", async ({ page }) => {
  await useAccount(page);
  await page.goto("/usage");
  await expect(row(page, "operation", "projects.list")).toBeVisible();
  await page.route(/usage\.read/, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replaceAll('"truncated":false', '"truncated":true');
    await route.fulfill({ response, body });
  });
  const cut = page.getByText(/^Only the 1,000 groups with the most requests are here\./);
  await expect(cut).toHaveCount(0);
  await page.getByLabel("Statuses", { exact: true }).check();
  await expect(cut).toHaveCount(1);
  // The notice of the export leaves after some seconds.
  await Promise.all([exported(page), expect(cut).toHaveCount(2)]);
  await expectGoodLooks(page);
});

test("usage is grouped by status and narrowed to an outcome, and leads to those requests", async ({
  page,
}) => {
  await useAccount(page);
  await page.goto("/usage");
  await page.getByLabel("Statuses", { exact: true }).check();
  await expect(row(page, "status", "429 Too many requests").getByRole("cell").nth(1)).toHaveText("2");
  await expect(row(page, "status", "201 Created")).toBeVisible();
  await page.getByLabel("Outcome", { exact: true }).selectOption("Denied");
  await expect(row(page, "status", "201 Created")).toHaveCount(0);
  await expect(row(page, "status", "403 Forbidden").getByRole("cell").nth(1)).toHaveText("1");
  await expect(page).toHaveURL(/\?by=status&outcome=denied$/);
  await expectGoodLooks(page);

  await row(page, "status", "403 Forbidden").getByRole("link").click();
  await expect(page).toHaveURL(/\/audit\?from=[^&]+&outcome=denied&status=403$/);
  const requests = page.getByRole("table", { name: "Audit events" }).getByRole("row");
  await expect(requests.filter({ hasText: "Backend" })).toHaveCount(1);
  await expect(page.getByLabel("Response", { exact: true })).toHaveValue("403");
  await page.goBack();

  await row(page, "status", "403 Forbidden").getByRole("button").click();
  await page.getByRole("menuitem", { name: "List the denied requests" }).click();
  await expect(page).toHaveURL(/\/audit\?from=[^&]+&outcome=denied$/);
  await expect(requests.filter({ hasText: "Backend" })).toHaveCount(3);
  await page.goBack();

  // One response narrows the figures and every grouping, too.
  await row(page, "status", "403 Forbidden").getByRole("button").click();
  await page.getByRole("menuitem", { name: "Only this response" }).click();
  await expect(page.getByLabel("Response", { exact: true })).toHaveValue("403");
  await expect(row(page, "status", "429 Too many requests")).toHaveCount(0);
  await page.getByLabel("Keys", { exact: true }).check();
  await expect(row(page, "key", "Backend").getByRole("cell").nth(1)).toHaveText("1");
});

test("the charts of usage have their numbers behind them", async ({ page }) => {
  const secret = await useAccount(page);
  await page.goto("/usage?period=7");
  await page.getByText("Show the numbers").first().click();
  const days = page.getByRole("table", { name: "How did requests end, each day?" }).getByRole("row");
  await expect(days).toHaveCount(8);
  const today = days.last().getByRole("cell");
  await expect(today.nth(1)).toHaveText("2");
  await page.getByText("Show the numbers").last().click();
  const costs = page.getByRole("table", { name: "What did each day cost?" }).getByRole("row");
  await expect(costs.last().getByRole("cell").first()).toHaveText("1");
  await expectGoodLooks(page);

  await page.getByLabel("Hour", { exact: true }).check();
  const minutes = page
    .getByRole("table", { name: "How long did requests take, each minute?" })
    .getByRole("row");
  await page.getByText("Show the numbers").nth(1).click();
  await expect(minutes).toHaveCount(61);
  await expect(minutes.filter({ hasText: /\d$/ }).first()).toBeVisible();
  await callApi(page.request, secret, "POST", "/projects", { name: "Followed" });
  await expect(row(page, "operation", "projects.create")).toContainText(/projects\.create\s*2/);
});

test("the groups that made up the usage are compared over time", async ({ page }) => {
  await useAccount(page);
  await page.goto("/usage?period=7");
  await page.getByRole("button", { name: "Over time" }).click();
  const compared = page.getByRole("figure").filter({ hasText: "How often was each used, each day?" });
  await compared.getByText("Show the numbers").click();
  const table = compared.getByRole("table");
  await expect(table.getByRole("columnheader", { name: "projects.list" })).toBeVisible();
  await expect(table.getByRole("row").last()).toContainText(/5/);
  await page.getByRole("group", { name: "Measure" }).getByLabel("Credits").check();
  await expect(page.getByText("What did each cost, each day?")).toBeVisible();
  await page.getByRole("group", { name: "Measure" }).getByLabel("p99").check();
  await expect(page.getByText("How long did 99 % take at most, each day?")).toBeVisible();
  await page.getByLabel("Keys", { exact: true }).check();
  await expect(page.getByRole("columnheader", { name: "Backend" }).first()).toBeVisible();
  await expectGoodLooks(page);
});

test("a row of usage leads to its requests, within the period", async ({ page }) => {
  await useAccount(page);
  await page.goto("/usage?period=custom&from=2026-01-01&to=2026-01-31");
  await expect(page.getByLabel("From", { exact: true })).toHaveValue("2026-01-01");
  await expect(page.getByText("No requests in this period")).toBeVisible();
  await page.getByLabel("30 days").check();
  await page.getByRole("link", { name: "projects.list" }).click();
  await expect(page).toHaveURL(/\/audit\?from=[^&]+&operation=projects\.list$/);
  const requests = page.getByRole("table", { name: "Audit events" }).getByRole("row");
  await expect(requests.filter({ hasText: "Backend" })).toHaveCount(5);
});

test("usage shows how full each part of the storage is, and how to free a full one", async ({ page }) => {
  await signUp(page);
  const { secret } = await createKey(page, { label: "Backend", scopes: ["services:invoke"] });
  const put = (characters: number) =>
    callApi(page.request, secret, "POST", "/services/managed-memory/invoke", {
      operationId: "put",
      input: { content: "x".repeat(characters) },
    });
  for (let nth = 0; nth < 4; nth++) expect((await put(245_000)).status).toBe(200);
  const refused = await put(200_000);
  expect([refused.status, refused.body.error.code]).toEqual([403, "quota_exceeded"]);

  await page.goto("/usage");
  const storage = page.locator("section").filter({ has: page.getByRole("heading", { name: "Storage" }) });
  await expect(storage.getByText("Nearly full")).toHaveCount(1);
  await expect(storage.getByText(/^9[56]\d KB of 1 MB$/)).toBeVisible();
  await expect(storage.getByText("Delete memories that are not needed.")).toBeVisible();
  await expect(storage.getByText(/^0 bytes of 20 GB$/)).toBeVisible();
  await expectGoodLooks(page);

  await page.goto("/memories");
  await page.getByRole("button", { name: "New memory" }).first().click();
  const form = page.getByRole("dialog", { name: "New memory" });
  await form.getByLabel("Content").fill("x".repeat(200_000));
  await page.getByRole("button", { name: "Store memory" }).click();
  await expect(
    form.getByText(/The account's memories take \d+ of \d+ bytes; \d+ more have no room\./),
  ).toBeVisible();
});
