import { readFile } from "node:fs/promises";
import { expect, type Page, test } from "@playwright/test";
import { createKey, newAct } from "./keys.ts";
import { expectGoodLooks } from "./looks.ts";
import { signUp } from "./people.ts";

const dialog = (page: Page) => page.getByRole("dialog");

async function exported(page: Page): Promise<string[]> {
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export as CSV" }).click();
  const text = await readFile(await (await download).path(), "utf8");
  return text.replace("\uFEFF", "").trimEnd().split("\r\n");
}

async function startRun(page: Page, name: string) {
  const headers = { origin: new URL(page.url()).origin, "idempotency-key": newAct() };
  const find = {
    id: "find",
    type: "invoke",
    serviceId: "managed-memory",
    operationId: "get",
    input: { name },
  };
  const input = { workflow: { name, steps: [find] } };
  const data = { serviceId: "managed-workflows", operationId: "execute", input };
  expect((await page.request.post("/api/trpc/runs.create", { headers, data })).status()).toBe(200);
}

test("a person revokes several keys at once, sees what became of each, and exports what is left", async ({
  page,
}) => {
  await signUp(page, "/");
  for (const label of ["Alpha", "Beta", "=Gamma"])
    await createKey(page, { label, scopes: ["projects:read"] });
  await page.goto("/api-keys");
  await page.getByRole("checkbox", { name: "Choose Alpha" }).check();
  await expect(page.getByText("1 is chosen")).toBeVisible();
  await page.getByRole("link", { name: "Beta" }).focus();
  await page.keyboard.press("x");
  await expect(page.getByText("2 are chosen")).toBeVisible();
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "Revoke 2 keys" }).click();
  await expect(dialog(page)).toContainText("Nothing has happened yet.");
  await expectGoodLooks(page);
  await dialog(page).getByRole("button", { name: "Revoke", exact: true }).click();
  await expect(dialog(page)).toContainText("Done: 2 of 2.");
  await dialog(page).getByRole("button", { name: "Close" }).last().click();
  await expect(page.getByText("are chosen")).toHaveCount(0);

  await page.getByLabel("Status").selectOption("active");
  await expect(page.getByRole("row", { name: /=Gamma/ })).toBeVisible();
  await expect(page.getByRole("row", { name: /Alpha/ })).toHaveCount(0);
  const [head, ...rows] = await exported(page);
  expect(head).toMatch(/^Id,Label,Prefix,Status/);
  expect(rows).toHaveLength(1);
  expect(rows[0]).toContain(",'=Gamma,svc_live_");
  await page.getByLabel("Search").fill("nobody");
  await expect(page.getByText("Nothing matches these filters.")).toBeVisible();
});

test("a person retries the runs that they choose, and exports what is filtered", async ({ page }) => {
  await signUp(page, "/");
  for (const name of ["First", "Second", "Third"]) await startRun(page, name);
  await page.goto("/runs");
  await expect(page.getByText("The newest 3: 3 failed.")).toBeVisible({ timeout: 60_000 });
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
  const [, ...rows] = await exported(page);
  expect(rows).toHaveLength(1);
  expect(rows[0]).toContain(",Second,managed-workflows,execute,");
});
