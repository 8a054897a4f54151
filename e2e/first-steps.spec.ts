import { expect, test } from "@playwright/test";
import { takeFirstSteps } from "./first-steps.ts";
import { createKey } from "./key-pages.ts";
import { expectGoodLooks } from "./looks.ts";
import { signUp } from "./people.ts";

test("a person goes from nothing to the first request, and ends the key again", async ({ page }) => {
  test.slow();
  await takeFirstSteps(page, expectGoodLooks);
});

test("the first call has a placeholder where the secret is not at hand", async ({ page }) => {
  await signUp(page, "/api-keys/new");
  await createKey(page, { label: "Backend", scopes: ["credits:read"] });
  await page.goto("/");
  await expect(page.getByRole("region", { name: "First call" })).toContainText(
    '/v1/credits/balance \\\n  -H "Authorization: Bearer YOUR_API_KEY"',
  );
});
