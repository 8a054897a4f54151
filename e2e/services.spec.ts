import { expect, type Page, test } from "@playwright/test";
import { expectGoodLooks } from "./looks.ts";
import { signUp } from "./people.ts";

const result = (page: Page) => page.getByRole("region", { name: "result" });

test("a person finds an operation, calls it by its form, and sees result and charge", async ({ page }) => {
  await signUp(page, "/services");
  await expectGoodLooks(page);
  await page.getByRole("link", { name: "Managed memory" }).click();
  await expect(page).toHaveURL("/services/managed-memory");
  await expectGoodLooks(page);
  await page.getByRole("link", { name: "Put a memory" }).click();
  await expect(page).toHaveURL("/services/managed-memory/put");
  await expect(page.getByText("services.invoke.managed-memory.put")).toBeVisible();

  await page.getByRole("button", { name: "Invoke" }).click();
  await expect(page.getByText("This field is required.")).toBeVisible();
  await expect(page.getByLabel("content")).toBeFocused();
  await page.getByLabel("content").fill("Ada likes <b>tea</b>.");
  await page.getByLabel("tags").fill("tea\nada");
  await page.getByLabel("metadata").fill('{ "cups": 3 }');
  await page.getByRole("button", { name: "Invoke" }).click();
  await expect(page.getByText("Answered with 200, charged 1 credit ($0.001).")).toBeVisible();
  await expect(result(page)).toContainText('"Ada likes <b>tea</b>."');
  await expectGoodLooks(page);

  await page.goto("/services/managed-memory/search");
  await page.getByLabel("query").fill("tea");
  await page.getByRole("button", { name: "Invoke" }).click();
  await expect(result(page)).toContainText("Ada likes");
  await page.goto("/credits");
  await expect(page.getByText("$9.998, to spend now")).toBeVisible();
});

test("a service's refusal is shown at the field, and nothing is charged", async ({ page }) => {
  await signUp(page, "/services/managed-memory/put");
  await page.getByLabel("content").fill("Tea");
  await page.getByLabel("tags").fill("tea\ntea");
  await page.getByLabel("metadata").fill("{ cups");
  await page.getByRole("button", { name: "Invoke" }).click();
  await expect(page.getByText(/^This is not JSON/)).toBeVisible();
  await page.getByLabel("metadata").fill("");
  await page.getByRole("button", { name: "Invoke" }).click();
  await expect(page.getByLabel("tags")).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByText("Nothing was changed.")).toBeVisible();
  await page.goto("/credits");
  await expect(page.getByText("$10.00, to spend now")).toBeVisible();
});

test("what a person types and chooses before the page's scripts have loaded counts", async ({ page }) => {
  await signUp(page);
  const loading = Promise.withResolvers<void>();
  await page.route(/\/_next\/static\/.*\.js/, async (route) => {
    await loading.promise;
    await route.continue();
  });
  await page.goto("/services/managed-memory/put", { waitUntil: "commit" });
  await page.getByLabel("content").fill("Tea");
  await page.getByLabel("tags").fill("tea\nada");
  await page.getByLabel("metadata").fill("{ cups");
  loading.resolve();
  await expect(page.getByText(/^This is not JSON/)).toBeVisible();
  await page.getByLabel("metadata").fill('{ "cups": 3 }');
  await page.getByRole("button", { name: "Invoke" }).click();
  await expect(page.getByText("Answered with 200, charged 1 credit ($0.001).")).toBeVisible();
  await expect(result(page)).toContainText('"ada"');
  await expect(result(page)).toContainText('"Tea"');
});

test("the same input can be written as JSON, and alternatives are chosen", async ({ page }) => {
  await signUp(page, "/services/managed-memory/put");
  await page.getByLabel("content").fill("Tea");
  await page.getByLabel("JSON", { exact: true }).check();
  await expect(page.getByLabel("Input", { exact: true })).toHaveValue('{\n  "content": "Tea"\n}');
  await page.getByLabel("Input", { exact: true }).fill('{ "content": "Coffee", "name": "drink" }');
  await page.getByLabel("Form", { exact: true }).check();
  await expect(page.getByLabel("content")).toHaveValue("Coffee");
  await page.getByRole("button", { name: "Invoke" }).click();
  await expect(result(page)).toContainText('"name": "drink"');

  await page.goto("/services/managed-memory/get");
  await page.getByLabel("By name").check();
  await page.getByLabel("name", { exact: true }).fill("drink");
  await page.getByRole("button", { name: "Invoke" }).click();
  await expect(page.getByText("Answered with 200, charged 0 credits ($0.00).")).toBeVisible();
  await expect(result(page)).toContainText('"content": "Coffee"');
});

test("an operation with an endpoint of its own shows the call, and an unknown one says so", async ({
  page,
}) => {
  await signUp(page, "/services/platform-api/projects.create");
  await expect(page.getByRole("region", { name: "curl" })).toContainText("/v1/projects");
  await expectGoodLooks(page);
  await page.goto("/services/managed-memory/nothing");
  await expect(page.getByText("No such operation")).toBeVisible();
  await page.goto("/services/nothing");
  await expect(page.getByRole("heading", { name: "Not found" })).toBeVisible();
});
