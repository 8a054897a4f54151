import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, type Page, test } from "@playwright/test";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { read } from "./console-calls.ts";
import { callApi, createKey } from "./keys.ts";
import { expectGoodLooks } from "./looks.ts";
import { signUp } from "./people.ts";
import { linesOf } from "./tables.ts";
import { createWallet, fund } from "./wallets.ts";

const cli = fileURLToPath(new URL("../server/boot/commands/account.ts", import.meta.url));
const faucet = fileURLToPath(new URL("../server/boot/commands/faucet.ts", import.meta.url));

/** Returns the command that the page shows for this account. */
async function adjustCredits(page: Page, credits: number) {
  const command = await page.getByRole("region", { name: "terminal" }).textContent();
  const accountId = command?.match(/acct_\w+/)?.[0] ?? "";
  const args = [cli, "credit", "--account", accountId, `--credits=${credits}`];
  execFileSync(process.execPath, args);
}

const movements = (page: Page) => page.getByRole("table", { name: "Statement" }).locator("tbody tr");

test("the statement lists each charge with the balance after it, and links to its request", async ({
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
  await expect(page.getByText(/less than 1 credit a day, they last for more than a year\.$/)).toBeVisible();
  await page.getByLabel("Key", { exact: true }).check();
  const spending = page.getByRole("table", { name: "Spending by key" }).locator("tbody tr");
  await expect(spending).toHaveText([/Backend.*1.*100 %/s]);
  const section = page.locator("section").filter({ has: page.getByRole("heading", { name: "Spending" }) });
  const file = page.waitForEvent("download");
  await section.getByRole("button", { name: "Export as CSV" }).click();
  expect(await linesOf(await file)).toEqual([
    "Key,Id,Credits,Share",
    expect.stringMatching(/^Backend,key_\w+,1,1$/),
  ]);

  await page.getByRole("link", { name: "managed-memory put" }).click();
  await expect(page).toHaveURL(`/audit?requestId=${requestId}`);
  await expect(page.getByRole("table", { name: "Audit events" }).locator("tbody tr")).toHaveCount(1);

  // The view of the spending changes; the statement stays on its page.
  const { nextCursor } = await read(page, "credits.ledger.list", { limit: 1 });
  await page.goto(`/credits?cursor=${encodeURIComponent(nextCursor)}`);
  await expect(movements(page)).toContainText(["+10,000"]);
  await page.getByLabel("Key", { exact: true }).check();
  await expect(spending).toHaveCount(1);
  const table = page.getByRole("table", { name: "Spending by key" });
  await table.getByRole("columnheader", { name: "Credits" }).getByRole("button").click();
  await expect(page).toHaveURL(/\?cursor=[^&]+&by=key&order=-credits$/);
  await expect(movements(page)).toContainText(["+10,000"]);
});

test("an account with few credits is warned until it has more", async ({ page }) => {
  await signUp(page, "/credits");
  await adjustCredits(page, -9_400);
  await page.reload();
  await expect(page.getByText("The account is low on credits.")).toBeVisible();
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "Change alert" }).click();
  await expect(page.getByLabel("Warn below")).toHaveValue("1000");
  await page.getByLabel("Warn below").fill("600");
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "Save alert" }).click();
  await expect(page.getByText("The account is low on credits.")).toHaveCount(0);
  await page.getByRole("button", { name: "Change alert" }).click();
  await page.getByLabel("Warn below").fill("601");
  await page.getByRole("button", { name: "Save alert" }).click();
  await expect(page.getByText("The account is low on credits.")).toBeVisible();
  await adjustCredits(page, 10_000);
  await page.reload();
  await expect(movements(page)).toHaveCount(3);
  await expect(page.getByText("The account is low on credits.")).toHaveCount(0);
});

async function openBuying(page: Page) {
  await page.getByRole("button", { name: "Buy credits" }).click();
  await page.getByLabel("Amount (USD)").fill("5");
}
const pay = (page: Page) => page.getByRole("button", { name: "Pay", exact: true }).click();
const bought = (page: Page) => page.getByText("5,000 credits ($5.00) are yours.");

test("a person buys credits with a wallet of the account", async ({ page }) => {
  test.slow();
  await signUp(page);
  await createWallet(page, "Payer");
  await fund(page);
  await page.goto("/credits");
  await openBuying(page);
  // The form shows each field's fault beside it.
  await page.getByLabel("Amount (USD)").fill("1");
  await pay(page);
  await expect(page.getByLabel("Amount (USD)")).toHaveAccessibleDescription(/5/);
  await page.getByLabel("Amount (USD)").fill("5");
  await pay(page);
  await expect(page.getByLabel("Pay from")).toHaveAccessibleDescription(/^This browser has no wallet/);
  await expectGoodLooks(page);
  await page.getByLabel("Pay from").selectOption({ label: "Payer" });
  // The first response to the payment is lost.
  await page.route(/x402\/top-up/, async (route) => {
    if (!(await route.request().headerValue("payment-signature"))) return route.continue();
    await route.fetch();
    return route.abort();
  });
  await pay(page);
  await expect(page.getByRole("alert")).toContainText("nothing is paid twice", { timeout: 90_000 });
  await page.unroute(/x402\/top-up/);
  await pay(page);
  await expect(bought(page)).toBeVisible({ timeout: 90_000 });
  const [receipt] = await Promise.all([
    page.waitForResponse(/\/receipts\//),
    page.getByRole("link", { name: "Signed receipt" }).click(),
  ]);
  expect((await receipt.json()).receipt).toMatchObject({ creditedCredits: 5000, creditedUsd: 5 });
  await page.goto("/credits");
  await expect(movements(page).filter({ hasText: "+5,000" })).toHaveCount(1);
});

test("a person buys credits with a wallet in the browser, which signs itself", async ({ page }) => {
  test.slow();
  const payer = privateKeyToAccount(generatePrivateKey());
  const args = [faucet, "--address", payer.address, "--usd", "20", "--eth", "1"];
  await page.exposeFunction("signAsPerson", (data: string) => payer.signTypedData(JSON.parse(data)));
  await page.addInitScript((address) => {
    const request = async ({ method, params }: { method: string; params: string[] }) => {
      if (method === "eth_requestAccounts" || method === "eth_accounts") return [address];
      if (method === "eth_signTypedData_v4")
        return (window as unknown as { signAsPerson(data: string): unknown }).signAsPerson(params[1] ?? "");
      throw new Error(`The wallet knows no ${method}.`);
    };
    Object.assign(window, { ethereum: { request } });
  }, payer.address);
  await signUp(page, "/credits");
  execFileSync(process.execPath, args);
  await openBuying(page);
  await pay(page);
  await expect(bought(page)).toBeVisible({ timeout: 90_000 });
  await page.keyboard.press("Escape");
  await expect(movements(page).first()).toContainText("+5,000");
});
