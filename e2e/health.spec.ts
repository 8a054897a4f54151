import { expect, test } from "@playwright/test";

test("the platform says in the browser that it is well", async ({ page }) => {
  // Each check has a second, which may be too short beside the other journeys.
  await expect(async () => {
    const answer = await page.goto("/health");
    expect(answer?.status()).toBe(200);
    expect(await answer?.json()).toMatchObject({ ok: true, status: "ok", apiVersion: "v1" });
  }).toPass();
});
