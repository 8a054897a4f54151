import { expect, test } from "@playwright/test";
import { defined } from "#server/base/defined.ts";
import { createKey } from "./keys.ts";
import { expectGoodLooks } from "./looks.ts";
import { signUp } from "./people.ts";
import { act, dialog, exported, namesOf, startRun } from "./tables.ts";

const RUN_EXPORT =
  "Name,Service,Operation,Project,Tags,Status,Error,Failed step,Message,Started,Finished,Credits,Created,End user,Id";
const AUDIT_EXPORT =
  "Operation,Resource,Outcome,Status,Error,Actor,Actor's label,Milliseconds,Credits,At,Request,Project,Address,Id";

test("a person retries the runs that they select, and exports the filtered runs", async ({ page }) => {
  await signUp(page);
  for (const name of ["First", "Second", "Third"]) await startRun(page, name);
  await page.goto("/runs");
  await expect(page.getByText("The newest 3: 3 failed.")).toBeVisible({ timeout: 90_000 });
  await page.getByRole("checkbox", { name: "Choose all on this page" }).check();
  await page.getByRole("checkbox", { name: "Choose Second" }).uncheck();
  await expect(page.getByRole("button", { name: "Cancel 0 runs" })).toBeDisabled();
  await page.getByRole("button", { name: "Retry 2 runs" }).click();
  await dialog(page).getByRole("button", { name: "Retry", exact: true }).click();
  await expect(dialog(page)).toContainText("Done: 2 of 2.");
  await expect(dialog(page).getByRole("link", { name: "Open the new run" })).toHaveCount(2);
  await dialog(page).getByRole("button", { name: "Close" }).last().click();
  await expect(page.getByRole("row")).toHaveCount(6);
  await page.getByLabel("Search").fill("second");
  await expect(page.getByRole("row")).toHaveCount(2);
  const [head, ...rows] = await exported(page);
  expect(head).toBe(RUN_EXPORT);
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatch(/^Second,managed-workflows,execute,/);
});

test("a retry of selected runs leaves out those that succeeded, and says so", async ({ page }) => {
  await signUp(page);
  await startRun(page, "First");
  const note = { serviceId: "managed-memory", operationId: "put", input: { content: "Tea" } };
  await act(page, "runs.create", note);
  await page.goto("/runs");
  await expect(page.getByText(/^The newest 2: /)).toHaveText(/1 failed/, { timeout: 90_000 });
  await expect(page.getByText(/^The newest 2: /)).toHaveText(/1 succeeded/, { timeout: 90_000 });
  await page.getByRole("checkbox", { name: "Choose all on this page" }).check();
  await page.getByRole("button", { name: "Retry 1 run" }).click();
  await expect(dialog(page)).toContainText("One that succeeded is left out: it would do its work again.");
  await dialog(page).getByRole("button", { name: "Retry", exact: true }).click();
  await expect(dialog(page)).toContainText("Done: 1 of 1.");
  await expectGoodLooks(page);
  await dialog(page).getByRole("button", { name: "Close" }).last().click();
  // What was not done stays selected.
  await expect(page.getByRole("toolbar", { name: "Chosen rows" })).toContainText("1 is chosen");
});

test("a filter that a link has set is removed by itself", async ({ page }) => {
  await signUp(page);
  for (const name of ["First", "Second"]) await startRun(page, name);
  await page.goto("/runs?search=first&retryOf=run_00000000000000000000000000");
  await expect(page.getByText("Nothing matches")).toBeVisible();
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "Remove the filter “Retries of”" }).click();
  await expect(page).toHaveURL("/runs?search=first");
  await expect(page.getByRole("search")).toBeFocused();
  await expect(page.getByRole("link", { name: "First" })).toBeVisible();
});

test("a person narrows a list to a period, and shares the address", async ({ page }) => {
  await signUp(page);
  for (const name of ["First", "Second"]) await startRun(page, name);
  await page.goto("/workflows");
  await expect.poll(() => namesOf(page)).toEqual(["Second", "First"]);
  await page.getByLabel("Time", { exact: true }).selectOption("Last hour");
  await expect(page).toHaveURL("/workflows?from=1h");
  const time = page.getByLabel("Time", { exact: true });
  await expect(time.locator(":checked")).toHaveText("Last hour");
  await page.reload();
  await expect(time.locator(":checked")).toHaveText("Last hour");
  await expect(page.getByLabel("From")).toHaveCount(0);
  await expect.poll(() => namesOf(page)).toEqual(["Second", "First"]);
  await expectGoodLooks(page);
  // The two dates continue from the span that was chosen before.
  await time.selectOption("Chosen time");
  await expect(page).toHaveURL(/from=20\d\d-/);
  await expect(page.getByLabel("From")).toHaveValue(/^20\d\d-/);
  await expect.poll(() => namesOf(page)).toEqual(["Second", "First"]);
  await page.goto(`/workflows?to=${new Date(Date.now() - 3_600_000).toISOString()}&search=first`);
  await expect(page.getByText("Nothing matches these filters.")).toBeVisible();
  await page.goto("/workflows?status=nonsense&from=nonsense&sort=nonsense&search=first");
  await expect.poll(() => namesOf(page)).toEqual(["First"]);
});

test("a period up to now moves on while its page is open, from the first page on", async ({ page }) => {
  await page.clock.install();
  // Changes, and the time in which none arrives, have the list refetched too.
  await page.route(/me\.changes/, (route) => route.abort());
  await signUp(page);
  for (let nth = 1; nth <= 26; nth++) await act(page, "projects.create", { name: `Shop ${nth}` });
  await page.goto("/projects?from=1h");
  await expect(page.getByText("26 rows", { exact: true })).toBeVisible();
  let reads = 0;
  page.on("request", (request) => {
    if (request.url().includes("projects.list")) reads++;
  });
  await expect(page.getByLabel("Time", { exact: true }).locator(":checked")).toHaveText("Last hour");
  // The minute counts from when the filter's script has run.
  const readsAfterMinute = async () => {
    await page.clock.runFor(61_000);
    return reads;
  };
  await expect.poll(readsAfterMinute).toBeGreaterThan(0);
  await page.getByRole("button", { name: "Older" }).click();
  await expect.poll(() => namesOf(page)).toEqual(["Shop 1"]);
  const before = reads;
  expect(await readsAfterMinute()).toBe(before);
  // The address of a later page can be shared, too.
  await page.reload();
  await expect.poll(() => namesOf(page)).toEqual(["Shop 1"]);
  await page.getByRole("button", { name: "Newer" }).click();
  await expect.poll(() => namesOf(page)).toHaveLength(25);
  await expect(page).toHaveURL("/projects?from=1h");
});

test("a person narrows runs by tag, failures and time, and bulk actions keep the filters", async ({
  page,
}) => {
  await signUp(page);
  for (const name of ["First", "Second"]) await startRun(page, name);
  const note = { serviceId: "managed-memory", operationId: "put", input: { content: "Tea" } };
  await act(page, "runs.create", { ...note, tags: ["nightly"] });
  await page.goto("/runs");
  await expect.poll(() => namesOf(page)).toHaveLength(3);
  await page.getByLabel("Tag", { exact: true }).fill(" nightly ");
  await expect.poll(() => namesOf(page)).toEqual(["managed-memory put"]);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.getByLabel("Status", { exact: true }).selectOption("Succeeded");
  await expect.poll(() => namesOf(page)).toEqual(["managed-memory put"]);
  await page.getByLabel("Only failures").check();
  await expect(page).toHaveURL("/runs?failures=on");
  await expect(page.getByLabel("Status", { exact: true })).toHaveValue("");
  await expect.poll(() => namesOf(page)).toEqual(["Second", "First"]);
  await page.getByLabel("Service", { exact: true }).selectOption("managed-workflows");
  await page.getByLabel("Time", { exact: true }).selectOption("Last hour");
  await expect(page).toHaveURL(/failures=on&serviceId=managed-workflows&from=/);
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Retry several" }).click();
  await expect(page).toHaveURL(/serviceId=managed-workflows&failures=on&from=/);
  await expect(page.getByRole("list", { name: "Runs that would be hit" }).getByRole("listitem")).toHaveCount(
    2,
  );
});

test("a person narrows requests by operation, key and time, and exports them", async ({ page }) => {
  await signUp(page);
  await createKey(page, { label: "Backend", scopes: ["projects:read"] });
  for (const name of ["One", "Two"]) await act(page, "projects.create", { name });
  await page.goto("/audit");
  await page.getByLabel("Operation", { exact: true }).selectOption("projects.create");
  await expect.poll(() => namesOf(page)).toEqual(["projects.create", "projects.create"]);
  await page.getByLabel("Time", { exact: true }).selectOption("Last hour");
  await expect(page).toHaveURL(/operation=projects\.create&from=/);
  const [head, ...rows] = await exported(page);
  expect(head).toBe(AUDIT_EXPORT);
  expect(rows).toHaveLength(2);
  expect(rows[0]).toMatch(/^projects\.create,.*,allowed,201,/);
  await page.getByLabel("Key", { exact: true }).selectOption("Backend");
  await expect(page.getByText("Nothing matches these filters.")).toBeVisible();
  await expectGoodLooks(page);
});

test("a person finds approvals by their words, sorts them and exports them", async ({ page }) => {
  await signUp(page);
  for (const name of ["alpha", "beta"])
    await act(page, "approvals.create", {
      serviceId: "managed-memory",
      operationId: "delete",
      input: { name },
    });
  await page.goto("/approvals");
  await expect
    .poll(() => namesOf(page))
    .toEqual([/beta/, /alpha/].map((part) => expect.stringMatching(part)));
  await page.getByRole("searchbox", { name: "Search" }).fill("ALPHA");
  await expect.poll(() => namesOf(page)).toEqual([expect.stringMatching(/alpha/)]);
  const [head, ...rows] = await exported(page);
  expect(head).toBe("Action,Kind,Asked by,Approvals,Asked,Expires,Id");
  expect(rows).toHaveLength(1);
  await page.getByLabel("Kind").selectOption("Swap");
  await expect(page.getByText("Nothing matches these filters.")).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).first().click();
  await page.getByRole("button", { name: "Columns" }).click();
  await dialog(page).getByLabel("Order").selectOption("Oldest first");
  await dialog(page).getByLabel("Kind").check();
  await dialog(page).getByRole("button", { name: "Done" }).click();
  await expect
    .poll(() => namesOf(page))
    .toEqual([/alpha/, /beta/].map((part) => expect.stringMatching(part)));
  await expect(page.getByRole("columnheader", { name: "Kind" })).toBeVisible();
  await expectGoodLooks(page);
});

test("a filter's field says how much of a long text counts", async ({ page }) => {
  await signUp(page);
  await act(page, "projects.create", { name: "x".repeat(200) });
  await page.goto("/projects");
  const search = page.getByRole("searchbox", { name: "Search" });
  await search.fill("x".repeat(200));
  await expect(page.getByText("characters count")).toHaveCount(0);
  await search.fill(`${"x".repeat(200)}y`);
  await expect(page.getByText("Only the first 200 characters count.")).toBeVisible();
  await expect(search).toHaveAccessibleDescription("Only the first 200 characters count.");
  await expect.poll(() => namesOf(page)).toEqual(["x".repeat(200)]);
  await expectGoodLooks(page);
  await page.goto(`/runs?tag=${"x".repeat(65)}`);
  await expect(page.getByText("Only the first 64 characters count.")).toBeVisible();
});

test("rows are chosen by touch on a phone, one by one and all at once", async ({ browser }) => {
  const phone = { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } };
  const page = await (await browser.newContext(phone)).newPage();
  await signUp(page);
  for (const name of ["Alpha", "Bravo"]) await act(page, "projects.create", { name });
  await page.goto("/projects");
  await page.getByText("Choose all on this page").tap();
  await expect(page.getByText("2 are chosen")).toBeVisible();
  const box = defined(await page.getByRole("checkbox", { name: "Choose Bravo" }).boundingBox());
  // Beside the box, as a finger hits it.
  await page.touchscreen.tap(box.x - 10, box.y + box.height + 10);
  await expect(page.getByText("1 is chosen")).toBeVisible();
  await expect(page).toHaveURL("/projects");
});
