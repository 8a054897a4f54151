import { type Browser, expect, type Page, test } from "@playwright/test";
import { mutate } from "./console-calls.ts";
import { callApi, createKey } from "./keys.ts";
import { expectGoodLooks, overflowOf } from "./looks.ts";
import { awaitScripts, newEmail, signUp } from "./people.ts";
import { exported, namesOf } from "./tables.ts";

const CUSTOMER = "customer-81";
const CONNECTION = {
  label: "Their calendar",
  provider: "calendar",
  authType: "bearer",
  secret: "of-the-outside-system",
  allowedHosts: ["api.example.com"],
};

/** Has a key call for an end user: they then have a resource of most kinds, and a key that is bound to them. */
async function serve(page: Page, endUser: string) {
  const { secret } = await createKey(page, {
    label: "Backend",
    scopes: [
      "services:invoke",
      "runs:write",
      "wallets:create",
      "connections:write",
      "approvals:write",
      "webhooks:write",
    ],
  });
  const call = (path: string, body: object) =>
    callApi(page.request, secret, "POST", path, body, { "x-service-end-user": endUser });
  const input = { name: "Favourite tea", content: "Earl Grey", tags: ["tea"] };
  const put = { operationId: "put", input };
  expect((await call("/wallets", { label: "Their savings" })).status).toBe(201);
  expect((await call("/services/managed-memory/invoke", put)).status).toBe(200);
  expect((await call("/runs", { serviceId: "managed-memory", ...put })).status).toBe(202);
  expect((await call("/connections", CONNECTION)).status).toBe(201);
  const asked = { serviceId: "managed-memory", operationId: "delete", input: { name: "Favourite tea" } };
  expect((await call("/approvals/service-actions", asked)).status).toBe(201);
  const hook = { url: "https://example.com/their-hook", events: ["*"] };
  expect((await call("/webhooks", hook)).status).toBe(201);
  await mutate(page, "apiKeys.create", { label: "Their device", scopes: ["projects:read"], endUser });
}

const row = (page: Page, name: string) => page.getByRole("row", { name: new RegExp(`^${name}`) });

test("a person finds an end user, sees their resources, and opens the lists of them", async ({ page }) => {
  test.slow();
  await signUp(page, "/end-users");
  await expect(page.getByRole("heading", { name: "No end users yet" })).toBeVisible();
  await expect(page.getByText("X-Service-End-User: customer-81")).toBeVisible();
  await expectGoodLooks(page);

  await serve(page, CUSTOMER);
  await mutate(page, "wallets.create", { label: "Of another one", endUser: "Another customer" });
  await mutate(page, "wallets.create", { label: "Of nobody" });
  await page.goto("/");
  await awaitScripts(page);
  // The two keys belong together for a second only.
  await expect(async () => {
    await page.keyboard.press("g");
    await page.keyboard.press("x");
    await expect(page).toHaveURL("/end-users", { timeout: 5_000 });
  }).toPass();
  await expect.poll(() => namesOf(page)).toEqual(["Another customer", CUSTOMER]);
  await expect(page).toHaveTitle(/End users/);
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "External id", exact: true }).click();
  await expect(page).toHaveURL(/sort=externalId/);
  expect(await exported(page)).toEqual([
    "External id,Created,Id",
    expect.stringMatching(/^Another customer,/),
    expect.stringMatching(/^customer-81,.*,eusr_/),
  ]);
  await page.getByRole("searchbox", { name: "Search" }).fill("R-81");
  await expect.poll(() => namesOf(page)).toEqual([CUSTOMER]);

  await page.getByRole("link", { name: CUSTOMER }).click();
  await expect(page.getByRole("heading", { name: CUSTOMER, level: 1 })).toBeVisible();
  await expect(page).toHaveTitle(/End user/);
  await expect(row(page, "API keys")).toContainText("1");
  await expect(row(page, "Wallets")).toContainText("1");
  await expect(row(page, "Files")).toContainText("0");
  await expect(row(page, "Connections")).toContainText("1");
  await expect(page.getByText("Last request")).toBeVisible();
  await expectGoodLooks(page);

  for (const [name, shown] of [
    ["API keys", "Their device"],
    ["Runs", "managed-memory put"],
    ["Memories", "Favourite tea"],
    ["Connections", "Their calendar"],
    ["Wallets", "Their savings"],
    ["Approvals", /delete/i],
    ["Webhooks", "https://example.com/their-hook"],
  ] as const) {
    await page.getByRole("main").getByRole("link", { name, exact: true }).click();
    await expect(page).toHaveURL(/\?endUser=customer-81(&status=any)?$/);
    await expect.poll(() => namesOf(page), name).toEqual([expect.stringMatching(shown)]);
    await expect(page.getByRole("search")).toContainText(CUSTOMER);
    await page.goBack();
  }
  await page.getByRole("link", { name: "Requests" }).click();
  await expect(page).toHaveURL("/audit?endUser=customer-81");
  const calls = [
    "webhooks.create",
    "approvals.create",
    "connections.create",
    "runs.settle",
    "runs.create",
    "services.invoke",
    "wallets.create",
  ];
  await expect
    .poll(async () => {
      await page.reload();
      return namesOf(page);
    })
    .toEqual(expect.arrayContaining(calls));
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect.poll(async () => (await namesOf(page)).length).toBeGreaterThan(calls.length);
  await page.goBack();
  await page.getByRole("main").getByRole("link", { name: "Usage" }).click();
  await expect(page.getByLabel("End user", { exact: true })).toHaveValue(CUSTOMER);
  await expect(page.getByRole("table", { name: "Usage by operation" }).getByRole("row")).toHaveCount(
    calls.length + 1,
  );
});

test("a list is narrowed to an end user that the server finds among many", async ({ page }) => {
  await signUp(page, "/end-users");
  const put = (endUser: string) =>
    mutate(page, "apiKeys.create", { label: `Of ${endUser}`, scopes: ["projects:read"], endUser });
  await put("ada");
  for (let nth = 0; nth < 100; nth++) await put(`customer-${nth}`);
  await page.goto("/api-keys");
  const filter = page.getByLabel("End user", { exact: true });
  await expect(filter.getByRole("option", { name: "customer-99" })).toBeAttached();
  await expect(filter.getByRole("option", { name: "ada" })).toHaveCount(0);
  await page.getByRole("searchbox", { name: "Find end users" }).fill("ad");
  await filter.selectOption("ada");
  await expect(page).toHaveURL("/api-keys?endUser=ada");
  await expect.poll(() => namesOf(page)).toEqual(["Of ada"]);
  await page.reload();
  await expect(filter).toHaveValue("ada");
  await expectGoodLooks(page);
});

test("a person filters wallets, usage and orders by an end user, and removes the filter", async ({
  page,
}) => {
  await signUp(page, "/end-users");
  await mutate(page, "wallets.create", { label: "Savings", endUser: CUSTOMER });
  await mutate(page, "wallets.create", { label: "Old savings" });
  await page.goto(`/wallets?endUser=${CUSTOMER}&search=savings`);
  await expect.poll(() => namesOf(page)).toEqual(["Savings"]);
  await expectGoodLooks(page);
  await page.getByLabel("End user", { exact: true }).selectOption("Any end user");
  await expect(page).toHaveURL("/wallets?search=savings");
  await expect.poll(() => namesOf(page)).toEqual(["Old savings", "Savings"]);
  await page.goto(`/usage?endUser=${CUSTOMER}&outcome=allowed`);
  await page.getByLabel("End user", { exact: true }).selectOption("Any end user");
  await expect(page).toHaveURL("/usage?outcome=allowed");
  await page.goto(`/trading?endUser=${CUSTOMER}`);
  await expect(page.getByText("Of the same end user as the orders below.")).toBeVisible();
  await expectGoodLooks(page);
});

test("an end user's resources link to exactly their page", async ({ page }) => {
  await signUp(page, "/end-users");
  const { wallet } = await mutate(page, "wallets.create", { label: "Theirs", endUser: "ada" });
  await mutate(page, "wallets.create", { label: "Another", endUser: "ada-2" });
  await page.goto(`/wallets/${wallet.id}`);
  await page.getByRole("main").getByRole("link", { name: "ada", exact: true }).click();
  await expect(page).toHaveURL(/\/end-users\/eusr_/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("ada");
});

test("⌘K finds the account's end users in a project, and says that they are", async ({ page }) => {
  await signUp(page, "/end-users");
  await mutate(page, "wallets.create", { label: "Savings", endUser: CUSTOMER });
  const { project } = await mutate(page, "projects.create", { name: "Shop" });
  await page.goto(`/projects/${project.id}?projectId=${project.id}`);
  await awaitScripts(page);
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Command palette" });
  await palette.getByRole("combobox").fill("omer-81");
  await expect(palette.getByRole("option", { name: "customer-81 End user of all projects" })).toBeVisible();
  await expectGoodLooks(page);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/end-users/eusr_.*projectId=${project.id}$`));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(CUSTOMER);
  await page.keyboard.press("Control+k");
  await palette.getByRole("combobox").fill("x".repeat(201));
  await expect(palette.getByText("Only the first 200 characters are searched for.")).toBeVisible();
});

test("⌘K leads to the page of an end user, whose hostile id is shown as text", async ({ page }) => {
  await signUp(page, "/end-users");
  const markup = `<img src=x onerror="document.title='bent'">`;
  const long = markup + "W".repeat(200 - markup.length);
  await mutate(page, "wallets.create", { label: "Longest", endUser: long });
  await mutate(page, "wallets.create", { label: "Turned", endUser: "moc.\u202ebob" });
  await page.reload();
  await expect.poll(() => namesOf(page)).toEqual(["moc.‹U+202E›bob", long]);
  const palette = page.getByRole("dialog", { name: "Command palette" });
  await awaitScripts(page);
  await page.keyboard.press("Control+k");
  await palette.getByRole("combobox").fill("<img");
  await expect(palette.getByRole("option", { name: /End user$/ })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/end-users\/eusr_/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(long);
  await page.setViewportSize({ width: 320, height: 800 });
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  await page.getByRole("main").getByRole("link", { name: "Wallets" }).click();
  await expect.poll(() => namesOf(page)).toEqual(["Longest"]);
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  await expect(page).not.toHaveTitle("bent");
  await expect(page.locator('img[src="x"]')).toHaveCount(0);
});

async function joinAsViewer(owner: Page, browser: Browser): Promise<Page> {
  const email = newEmail();
  const { link } = await mutate(owner, "invitations.create", { email, role: "viewer" });
  const page = await (await browser.newContext()).newPage();
  await signUp(page, "/end-users", { email, invitation: link.split("/").at(-1) });
  return page;
}

test("a viewer sees end users, without their keys and memories", async ({ page, browser }) => {
  await signUp(page, "/security");
  await serve(page, CUSTOMER);
  const viewer = await joinAsViewer(page, browser);
  await viewer.getByRole("link", { name: CUSTOMER }).click();
  await expect(row(viewer, "Wallets")).toContainText("1");
  await expect(row(viewer, "API keys")).toHaveCount(0);
  await expect(row(viewer, "Memories")).toHaveCount(0);
  await expect(viewer.getByRole("main").getByRole("alert")).toHaveCount(0);
  await viewer.goto("/end-users/eusr_01jz4w1n9vf5ha3kqcx8y2r7te");
  await expect(viewer.getByRole("heading", { name: "Not found" })).toBeVisible();
  await viewer.goto("/memories");
  await expect(viewer.getByRole("heading", { name: "Memories are not shown to your role" })).toBeVisible();
  await expectGoodLooks(viewer);
});
