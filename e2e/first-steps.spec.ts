import { expect, test } from "@playwright/test";
import { countClicks } from "./clicks.ts";
import { takeFirstSteps } from "./first-steps.ts";
import { chooseNoScopes, createKey } from "./key-pages.ts";
import { callApi, createKey as createKeyOf } from "./keys.ts";
import { expectGoodLooks } from "./looks.ts";
import { awaitScripts, signUp, signUpByForm } from "./people.ts";

test("a person gets from the sign-up to the first request, and revokes the key", async ({ page }) => {
  test.slow();
  await takeFirstSteps(page, expectGoodLooks);
});

test("a person adds sample data, which completes no step by itself, and removes it with one button", async ({
  page,
}) => {
  test.slow();
  await signUp(page, "/");
  const further = page.getByRole("list", { name: "Go further" });
  await expect(further.getByText("Done:")).toHaveCount(0);
  await page.getByRole("button", { name: "Add sample data" }).click();
  await expect(page.getByText("The sample data is there.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Sample", exact: true })).toBeVisible();
  // A webhook was delivered to, and a project exists; but the person has connected or created neither.
  await expect(page.getByRole("button", { name: "New project" })).toBeVisible();
  // Two lists of steps are shown, but a person can do only one step next.
  await expect(further.getByRole("listitem")).toHaveCount(3);
  await expect(page.locator("[aria-current=step]")).toHaveText(/^1Make a project/);
  await expectGoodLooks(page);
  await page.goto("/webhooks");
  await expect(page.getByRole("link", { name: /inspect/ })).toBeVisible();
  await page.goto("/");
  await page.getByRole("button", { name: "Remove sample data" }).click();
  await expect(page.getByText("The sample data is removed.")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("button", { name: "Add sample data" })).toBeVisible();
  // Removing it has rejected its approval, which nobody decided.
  await expect(further.getByRole("listitem")).toHaveCount(3);
  await expect(further.getByText("Done:")).toHaveCount(0);
  await page.goto("/webhooks");
  await expect(page.getByRole("heading", { name: "No webhooks yet" })).toBeVisible();
  await page.getByLabel("Status").selectOption("Disabled");
  await page.getByRole("link", { name: /inspect/ }).click();
  await expect(page.getByText("Sample: disabled when the sample data was removed.")).toBeVisible();
  await page.goto("/projects");
  await expect(page.getByRole("row", { name: /Sample/ })).toContainText("Archived");
});

test("a decided approval completes its step, also behind many newer ones that wait", async ({ page }) => {
  test.slow();
  await signUp(page);
  const { secret } = await createKeyOf(page, {
    label: "Backend",
    scopes: ["services:invoke", "approvals:write"],
  });
  const body = { serviceId: "managed-memory", operationId: "delete", input: { name: "greeting" } };
  const ask = () => callApi(page.request, secret, "POST", "/approvals/service-actions", body);
  await ask();
  await page.goto("/approvals");
  await awaitScripts(page);
  await page.getByRole("link", { name: /greeting/ }).click();
  await page.getByRole("button", { name: "Reject", exact: true }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Reject", exact: true }).click();
  await expect(page.getByText("Rejected.", { exact: true })).toBeVisible();
  for (let nth = 0; nth < 26; nth++) expect((await ask()).status).toBe(201);
  await page.goto("/");
  await expect(page.getByRole("list", { name: "Go further" }).getByRole("listitem")).toHaveText([
    /^1See a webhook arrive/,
    /^Done:.*Decide an approval/,
    /^3Connect an agent/,
  ]);
});

test("a person gets from the sign-up to a decided approval in eight clicks", async ({ page }) => {
  const clicks = await countClicks(page);
  await signUpByForm(page, "/");
  await page.getByRole("button", { name: "Ask for one" }).click();
  await expect(page).toHaveURL(/\/approvals\/appr_\w+$/);
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Approve", exact: true }).click();
  await expect(page.getByText("It may be done once")).toBeVisible();
  expect(clicks()).toBeLessThanOrEqual(8);
  await page.goto("/");
  const further = page.getByRole("list", { name: "Go further" });
  await expect(further.getByRole("listitem").nth(1)).toHaveText(/^Done:.*Decide an approval/);
  await expect(page.getByRole("button", { name: "Ask for one" })).toHaveCount(0);
});

test("the first steps are done once any key's request has succeeded, whatever newer keys met", async ({
  page,
}) => {
  await signUp(page);
  const backend = await createKeyOf(page, { label: "Backend", scopes: ["projects:read", "projects:write"] });
  expect((await callApi(page.request, backend.secret, "GET", "/usage")).status).toBe(403);
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "First steps" })).toBeVisible();
  await callApi(page.request, backend.secret, "POST", "/projects", { name: "Web shop" });
  const reporting = await createKeyOf(page, { label: "Reporting", scopes: ["usage:read"] });
  expect((await callApi(page.request, reporting.secret, "GET", "/projects")).status).toBe(403);
  await page.goto("/");
  await expect(page.getByRole("table", { name: "Latest requests" })).toContainText("403 scope_missing");
  await expect(page.getByRole("heading", { name: "First steps" })).toHaveCount(0);
});

test("the first call contains a placeholder if the secret is not at hand", async ({ page }) => {
  await signUp(page, "/api-keys/new");
  await chooseNoScopes(page);
  await createKey(page, { label: "Backend", scopes: ["credits:read"] });
  await page.goto("/");
  await expect(page.getByRole("region", { name: "First call" })).toContainText(
    '/v1/credits/balance \\\n  -H "Authorization: Bearer YOUR_API_KEY"',
  );
});
