import { expect, test } from "@playwright/test";
import { callApi, createKey } from "./keys.ts";
import { expectGoodLooks } from "./looks.ts";
import { signUp } from "./people.ts";

test("a key and an operation are picked, and the key of the chain that decides is named", async ({
  page,
  request,
}) => {
  await signUp(page);
  const root = await createKey(page, {
    label: "Storefront",
    scopes: ["projects:read", "api_keys:manage"],
    limits: { "projects.list": { requestsPerMinute: 1 } },
  });
  const body = { label: "Checkout", scopes: ["projects:read"] };
  const child = (await callApi(request, root.secret, "POST", "/api-keys", body)).body;

  await page.goto("/api-keys");
  await page.getByRole("link", { name: "Explain access" }).click();
  await expect(page.getByRole("heading", { name: "Explain access" })).toBeVisible();
  await page.getByLabel("Key").selectOption(child.apiKey.id);
  await page.getByLabel("Operation").selectOption("projects.list");
  const verdict = page.getByRole("status").filter({ hasText: "let" });
  await expect(verdict).toHaveText("Allowed: all 2 keys let it through.");
  await expect(page.getByRole("table", { name: "Limits" })).toContainText("Storefront");
  await expectGoodLooks(page);

  await callApi(request, child.secret, "GET", "/projects");
  await page.reload();
  const refused = page.getByRole("status").filter({ hasText: "Refused" });
  await expect(refused).toHaveText("Refused by Storefront: a limit of it is exhausted.");
  await expect(page.getByRole("table", { name: "Limits" })).toContainText("1 of 1 used");
  await page.getByLabel("Operation").selectOption("projects.create");
  await expect(refused).toHaveText("Refused by Storefront: it lacks the scope projects:write.");
  await expectGoodLooks(page);
  await refused.getByRole("link", { name: "Storefront" }).click();
  await expect(page.getByRole("heading", { name: "Storefront" })).toBeVisible();
});

test("a key that a hundred newer ones hide is found by its label", async ({ page }) => {
  await signUp(page);
  const oldest = await createKey(page, { label: "The oldest key", scopes: ["projects:read"] });
  for (let nth = 0; nth < 100; nth++)
    await createKey(page, { label: `Newer ${nth}`, scopes: ["projects:read"] });
  await page.goto("/api-keys/access");
  const keys = page.getByLabel("Key", { exact: true });
  await expect(keys.getByRole("option")).toHaveCount(101);
  await expect(keys.getByRole("option", { name: /The oldest key/ })).toHaveCount(0);
  await expectGoodLooks(page);
  await page.getByRole("searchbox", { name: "Find keys" }).fill("oldest");
  await keys.selectOption(oldest.id);
  await page.getByLabel("Operation").selectOption("projects.list");
  await expect(page.getByRole("status").filter({ hasText: "let" })).toHaveText(
    "Allowed: the key lets it through.",
  );
  // The address alone names it, too.
  await page.reload();
  await expect(keys).toHaveValue(oldest.id);
  await expect(keys.getByRole("option", { name: /The oldest key/ })).toHaveCount(1);
});
