import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, type Page, test } from "@playwright/test";
import { callApi, createKey } from "./keys.ts";
import { expectGoodLooks } from "./looks.ts";
import { signUp } from "./people.ts";
import { scriptBytes } from "./script-bytes.ts";

const cli = fileURLToPath(new URL("../server/boot/account.ts", import.meta.url));

/** The command that the page shows, for this account. */
async function adjustCredits(page: Page, credits: number) {
  const command = await page.getByRole("region", { name: "terminal" }).textContent();
  const accountId = command?.match(/acct_\w+/)?.[0] ?? "";
  const args = [cli, "credit", "--account", accountId, `--credits=${credits}`];
  execFileSync(process.execPath, args, { env: { ...process.env, DATA_DIR: process.env.E2E_DATA_DIR } });
}

const movements = (page: Page) => page.getByRole("table", { name: "Statement" }).locator("tbody tr");

test("the statement has each charge with the balance after it, and leads to its request", async ({
  page,
}) => {
  await signUp(page, "/credits");
  await expect(movements(page)).toContainText(["+10,000"]);
  const { secret } = await createKey(page, { label: "Backend", scopes: ["services:invoke"] });
  const put = { operationId: "put", input: { content: "Tea, not coffee." } };
  const { requestId } = await callApi(page.request, secret, "POST", "/services/managed-memory/invoke", put);
  await page.reload();
  await expect(movements(page)).toHaveCount(2);
  await expect(movements(page).first()).toContainText(/managed-memory put.*−1.*9,999/s);
  await expect(page.getByText("$9.999, to spend now")).toBeVisible();

  await page.getByRole("link", { name: "managed-memory put" }).click();
  await expect(page).toHaveURL(`/audit?requestId=${requestId}`);
  await expect(page.getByRole("table", { name: "Audit events" }).locator("tbody tr")).toHaveCount(1);
});

test("an account that runs low is told so, until it has more", async ({ page }) => {
  await signUp(page, "/credits");
  await adjustCredits(page, -9_400);
  await page.reload();
  await expect(page.getByText("The account is low on credits.")).toBeVisible();
  await expectGoodLooks(page);
  await adjustCredits(page, 10_000);
  await page.reload();
  await expect(movements(page)).toHaveCount(3);
  await expect(page.getByText("The account is low on credits.")).toHaveCount(0);
});

test("credits load little script first", async ({ page }) => {
  await signUp(page, "/credits");
  expect(await scriptBytes(page, "/credits")).toBeLessThanOrEqual(200_000);
});
