import { expect, type Page, test } from "@playwright/test";
import { callApi, createKey } from "./keys.ts";
import { expectGoodLooks } from "./looks.ts";
import { awaitScripts, signUp } from "./people.ts";
import { act } from "./tables.ts";

const FLOOD = 600;
const hostile = '<img src=x onerror="document.title=1"> 😀';

async function startWithKey(page: Page, label = "Backend") {
  await signUp(page, "/audit");
  return createKey(page, { label, scopes: ["projects:read", "projects:write"] });
}

const events = (page: Page) => page.getByRole("table", { name: "Audit events" }).locator("tbody tr");

test("a person narrows the request log by filters that survive a reload", async ({ page }) => {
  const key = await startWithKey(page);
  await callApi(page.request, key.secret, "GET", "/projects");
  const refused = await callApi(page.request, key.secret, "GET", "/usage");
  await page.goto("/audit");
  await page.getByLabel("Key", { exact: true }).selectOption({ label: "Backend" });
  await expect(events(page)).toHaveCount(2);
  await page.getByLabel("Outcome", { exact: true }).selectOption("denied");
  await expect(events(page)).toHaveCount(1);
  await page.reload();
  await expect(page.getByLabel("Outcome", { exact: true })).toHaveValue("denied");
  await expect(events(page)).toHaveCount(1);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(page).toHaveURL("/audit");
  await page.getByLabel("Person", { exact: true }).selectOption({ label: "Ada Lovelace" });
  await expect(page).toHaveURL(/\?memberId=mbr_\w+$/);
  await expect(events(page)).toContainText(["apiKeys.create", "sessions.create", "accounts.create"]);
  await page.getByRole("button", { name: "Clear filters" }).click();

  const search = page.getByLabel("Operation or request id");
  await search.fill(refused.requestId);
  await expect(events(page)).toContainText(["403 scope_missing"]);
  await expect(events(page)).toHaveCount(1);
  await search.fill("APIkeys.cr");
  await expect(events(page)).toContainText(["apiKeys.create"]);
  await expect(page.getByText("1 row", { exact: true })).toBeVisible();
  await page.goto("/audit?from=2026-01-01T00:00:00.000Z&to=2026-01-02T00:00:00.000Z");
  await expect(page.getByText("Nothing matches these filters.")).toBeVisible();
});

test("a person reads the request log from its beginning, and sees how long it is", async ({ page }) => {
  const key = await startWithKey(page);
  await callApi(page.request, key.secret, "GET", "/projects");
  await callApi(page.request, key.secret, "POST", "/projects", { name: "Shop" });
  await page.goto(`/audit?keyId=${key.id}`);
  await awaitScripts(page);
  await expect(events(page)).toContainText(["projects.create", "projects.list"]);
  await expect(page.getByText("2 rows", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "When" }).click();
  await expect(page).toHaveURL(/sort=createdAt/);
  await expect(events(page)).toContainText(["projects.list", "projects.create"]);
  await expect(page.getByLabel("Live tail")).toHaveCount(0);
  await page.reload();
  await expect(events(page)).toContainText(["projects.list", "projects.create"]);
  await expect(page.getByText("2 rows", { exact: true })).toBeVisible();
});

test("a request opens at its own address, with the check that refused it and its place in the chain", async ({
  page,
}) => {
  const key = await startWithKey(page);
  const { requestId } = await callApi(page.request, key.secret, "GET", "/usage");
  await page.goto(`/audit?keyId=${key.id}`);
  await awaitScripts(page);
  await events(page).getByRole("link", { name: "usage.read" }).click();
  await expect(page).toHaveURL(/\/audit\/evt_\w+\?keyId=key_\w+$/);

  const panel = page.getByRole("dialog", { name: "usage.read" });
  await expect(panel.getByRole("listitem").filter({ hasText: "Scope" })).toContainText("refused");
  await expect(panel.getByRole("listitem").filter({ hasText: "Scope" })).toContainText(
    /usage:read\s*Backend/,
  );
  await expect(panel.getByRole("listitem").filter({ hasText: "Limits" })).toContainText("not reached");
  await expect(panel.getByText("usage:read", { exact: true })).toBeVisible();
  await expect(panel.getByText("Backend refused it.")).toBeVisible();
  await expect(panel.getByText(requestId)).toBeAttached();
  await expect(panel.getByText(/^[0-9a-f]{64}$/)).toHaveCount(2);
  await expect(panel.getByRole("link", { name: "Backend" }).first()).toHaveAttribute(
    "href",
    `/api-keys/${key.id}`,
  );
  await expect(panel.getByRole("region", { name: "curl" })).toContainText(
    `curl ${new URL(page.url()).origin}/v1/usage \\ -H "Authorization: Bearer $API_KEY"`,
  );
  await expectGoodLooks(page);

  await page.reload();
  await expect(panel.locator(":focus")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(`/audit?keyId=${key.id}`);
  await expect(events(page)).toHaveCount(1);
});

test("a request's ledger entry links to itself in the statement", async ({ page }) => {
  await signUp(page, "/audit");
  const input = { name: "greeting", content: "Hello" };
  for (let nth = 0; nth < 2; nth++)
    await act(page, "services.invoke", { serviceId: "managed-memory", operationId: "put", input });
  await page.goto("/audit");
  await awaitScripts(page);
  await events(page).getByRole("link", { name: "services.invoke" }).first().click();
  await page.getByRole("dialog").getByRole("link", { name: "managed-memory" }).click();
  await expect(page).toHaveURL(/\/credits\?search=rcpt_/);
  await expect(page.getByRole("table", { name: "Statement" }).locator("tbody tr")).toHaveCount(1);
});

test("a row on a phone shows its whole time, whatever the text before it", async ({ page }) => {
  const key = await startWithKey(page, "A backend with quite a long label");
  await callApi(page.request, key.secret, "GET", "/usage");
  await page.goto(`/audit?keyId=${key.id}`);
  await awaitScripts(page);
  await page.setViewportSize({ width: 320, height: 800 });
  const row = events(page).filter({ hasText: "403 scope_missing" });
  const time = row.locator("time");
  const [outer, inner] = [await row.boundingBox(), await time.boundingBox()];
  expect(inner?.width).toBeGreaterThan(20);
  expect((inner?.x ?? 0) + (inner?.width ?? 0)).toBeLessThanOrEqual((outer?.x ?? 0) + (outer?.width ?? 0));
  await expectGoodLooks(page);
});

test("live tail shows new requests without a reload, and shows none while it is paused", async ({ page }) => {
  const key = await startWithKey(page);
  await page.goto("/audit");
  await page.getByLabel("Live tail").check();
  await expect(page).toHaveURL("/audit?live=on");
  await callApi(page.request, key.secret, "GET", "/projects");
  await expect(events(page).first()).toContainText("projects.list");

  await page.getByRole("button", { name: "Pause" }).click();
  await callApi(page.request, key.secret, "POST", "/projects", { name: "Late" });
  await page.waitForTimeout(1_000);
  await expect(events(page).first()).toContainText("projects.list");
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(events(page).first()).toContainText("projects.create");

  // Many requests at once: the page reads them in batches, and responds to a click in between.
  let readings = 0;
  page.on("request", (request) => {
    if (request.url().includes("auditEvents.list")) readings++;
  });
  const calls = Array.from({ length: 20 }, async () => {
    for (let nth = 0; nth < FLOOD / 20; nth++) await callApi(page.request, key.secret, "GET", "/projects");
  });
  const flood = Promise.all(calls);
  await expect(events(page).first()).toContainText("projects.list");
  await page.getByRole("button", { name: "Pause" }).click();
  await expect(page.getByRole("button", { name: "Resume" })).toBeVisible();
  await page.getByRole("button", { name: "Resume" }).click();
  await flood;
  await callApi(page.request, key.secret, "POST", "/projects", { name: "Last" });
  await expect(events(page).first()).toContainText("projects.create");
  expect(readings).toBeLessThan(FLOOD / 2);
});

test("reads from the console are listed only on request", async ({ page }) => {
  await startWithKey(page);
  await page.goto("/audit");
  await expect(events(page).filter({ hasText: "apiKeys.create" })).toHaveCount(1);
  await expect(events(page).filter({ hasText: "auditEvents.list" })).toHaveCount(0);
  await page.getByLabel("Console reads").check();
  await expect(events(page).filter({ hasText: "auditEvents.list" }).first()).toBeVisible();
});

test("a hostile name is shown as text, and the log passes the checks of every page", async ({ page }) => {
  const key = await startWithKey(page, hostile);
  await callApi(page.request, key.secret, "GET", "/projects");
  await page.goto("/audit");
  await expect(events(page).first()).toContainText(hostile);
  await expect(page).toHaveTitle(/^Audit/);
  await expectGoodLooks(page);
});
