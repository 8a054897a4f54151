import { expect, test } from "@playwright/test";
import { countClicks } from "./clicks.ts";
import { mutate } from "./console-calls.ts";
import { expectGoodLooks } from "./looks.ts";
import { awaitScripts, signUp, signUpByForm } from "./people.ts";
import { createWallet, FRIEND, fund, quoteSend } from "./wallets.ts";

test("a wallet sends only within its cap, and a draft of its policy is tested on past sends", async ({
  page,
}) => {
  test.slow();
  await signUp(page);
  await createWallet(page, "Treasury", { "Most per transaction (USD)": "50" });
  await fund(page);
  await expect(page.locator("main header").first()).toContainText(/\d,\d{3}/);

  await quoteSend(page, "60");
  await expect(page.getByText("Denied")).toBeVisible();
  await expect(page.getByRole("button", { name: "Send now" })).toBeDisabled();
  await page.getByRole("button", { name: "Change" }).click();
  await page.getByLabel("Amount").fill("20");
  await page.getByRole("button", { name: "Get quote" }).click();
  await expect(page.getByText("Allowed")).toBeVisible();
  await page.getByRole("button", { name: "Send now" }).click();
  const sent = page.getByRole("dialog", { name: "Sent" });
  await expect(sent.getByText("Confirmed").first()).toBeVisible({ timeout: 90_000 });
  await expect(sent).toContainText(FRIEND);
  await expectGoodLooks(page);

  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Edit policy" }).click();
  await page.getByLabel("Needed above (USD)").fill("19.9");
  await page.getByRole("button", { name: "Replay 30 days" }).click();
  const judged = page.getByRole("list", { name: "Judged otherwise" });
  await expect(judged).toContainText("Allowed becomes Needs an approval");
  await expect(judged).toContainText("Send 20 USD");
  await page.getByLabel("Most per transaction (USD)").fill("10");
  await expect(page.getByText("The draft has changed since.")).toBeVisible();
  await page.getByRole("button", { name: "Replay 30 days" }).click();
  await expect(judged).toContainText("Allowed becomes Denied");
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("Version 1.")).toBeVisible();
  await page.getByRole("link", { name: "Wallets" }).first().click();
  const listed = page.getByRole("row", { name: /^Treasury/ });
  await expect(listed).toContainText("50 USD each");
  await expect(listed).toContainText(/\d,\d{3}/);
});

test("a person gets from the sign-up to a confirmed send in seven clicks", async ({ page }) => {
  const clicks = await countClicks(page);
  await signUpByForm(page, "/");
  await page.getByRole("link", { name: "Wallets" }).click();
  await page.getByRole("button", { name: "New wallet" }).click();
  await page.getByLabel("Label", { exact: true }).fill("Treasury");
  await page.getByRole("button", { name: "Create wallet" }).click();
  await expect(page.getByText("Wallet created, with test money.")).toBeVisible();
  await quoteSend(page, "20");
  await page.getByRole("button", { name: "Send now" }).click();
  const sent = page.getByRole("dialog", { name: "Sent" });
  await expect(sent.getByText("Confirmed").first()).toBeVisible({ timeout: 90_000 });
  expect(clicks()).toBeLessThanOrEqual(7);
});

test("a send that needs an approval waits for it, and is sent once it is approved", async ({ page }) => {
  test.slow();
  await signUp(page);
  const policy = { "Needed above (USD)": "5", "Most per day": "500" };
  await createWallet(page, "Careful", policy, ["Who asks may approve too"]);
  await fund(page);
  const wallet = page.url();

  await quoteSend(page, "10");
  await expect(page.getByText("Needs an approval")).toBeVisible();
  await page.getByRole("button", { name: "Ask for approval" }).click();
  await expect(page.getByRole("dialog", { name: "Sent" })).toContainText("Awaiting approval");
  await page.goto("/approvals");
  await awaitScripts(page);
  await page.getByRole("link", { name: /Send 10/ }).click();
  await expect(page.getByText("10 USD is more than 5 USD, above which people")).toBeVisible();
  const panel = page.getByRole("dialog", { name: "Approval" });
  await expect(panel).toContainText("Careful");
  await expect(panel).toContainText("This wallet has never sent there.");
  const effects = "What it changes";
  await expect(panel.getByRole("list", { name: effects })).toContainText("1,000 USD");
  await expect(panel.getByRole("list", { name: effects })).toContainText("990 USD");
  await expect(panel.getByRole("list", { name: effects })).toContainText("Today’s cap, used");
  await expect(panel.getByRole("list", { name: effects })).toContainText("Of 500 USD a day");
  await expect(panel).toContainText(/The network takes at most .* ETH .*where it succeeds\./);
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  const decision = page.getByRole("alertdialog");
  await expect(decision).toContainText("Careful");
  await expect(decision.getByRole("list", { name: effects })).toContainText("990 USD");
  await expectGoodLooks(page);
  await decision.getByRole("button", { name: "Approve", exact: true }).click();
  await expect(page.getByText("Approved.", { exact: true })).toBeVisible();
  await page.goto(wallet);
  const activity = page.getByRole("table", { name: "Activity" });
  await expect(activity.getByRole("row", { name: /Sent 10 USD/ })).toContainText("Confirmed", {
    timeout: 90_000,
  });

  // The next approval lists earlier sends to the recipient, and several are decided in view of the day's limit.
  for (const amount of ["20", "30"]) {
    await quoteSend(page, amount);
    await page.getByRole("button", { name: "Ask for approval" }).click();
    await expect(page.getByRole("dialog", { name: "Sent" })).toContainText("Awaiting approval");
    await page.goto(wallet);
  }
  await page.goto("/approvals");
  await page.getByRole("link", { name: /Send 30/ }).click();
  await expect(panel).toContainText("Confirmed once before, in all 10 USD, last");
  await panel.getByRole("link", { name: "Payments to this recipient" }).click();
  await expect(page).toHaveURL(/\?search=0x\w+&direction=out$/);
  // The header and three sends: the test money that was received is left out.
  await expect(activity.getByRole("row")).toHaveCount(4);
  await expectGoodLooks(page);
  await activity.getByRole("link", { name: /Sent 10 USD/ }).click();
  await expect(page).toHaveURL(/\/transactions\/\w+\?search=0x\w+&direction=out$/);
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await expect(activity.getByRole("row")).toHaveCount(4);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(page).toHaveURL(wallet);

  await page.goto("/approvals");
  for (const amount of ["20", "30"])
    await page.getByRole("checkbox", { name: new RegExp(`^Choose Send ${amount} `) }).check();
  await page.getByRole("button", { name: "Approve 2 approvals" }).click();
  const several = page.getByRole("dialog", { name: "Approve 2 approvals?" });
  await expect(several).toContainText("In all they spend 50 USD.");
  const cap = several.getByRole("list", { name: effects }).getByRole("listitem");
  await expect(cap).toContainText("Today’s cap, used of Careful");
  await expect(cap).toContainText(/10 USD →becomes 60 USD/);
  await expectGoodLooks(page);
});

test("a person picks a policy's values from known ones, and sentences say what the policy means", async ({
  page,
}) => {
  test.slow();
  await signUp(page);
  await page.goto("/wallets/new");
  const form = page.getByRole("dialog", { name: "New wallet" });
  await form.getByLabel("Label", { exact: true }).fill("Narrow");
  await form.getByLabel("Needed above (USD)").fill("a lot");
  await form.getByRole("button", { name: "Create wallet" }).click();
  await expect(form.getByText(/^Not an amount/)).toBeVisible();
  await form.getByLabel("Needed above (USD)").fill("1000");
  await expect(form.getByText("Spending more than 1,000 USD at once waits for an approval.")).toBeVisible();

  await expect(form.getByText("Every network may be used.")).toBeVisible();
  await form.getByLabel("Add a network").selectOption({ index: 1 });
  await expect(form.getByText(/^Only .+ may be used\.$/)).toBeVisible();
  await form.getByLabel("Add an asset").selectOption("USD");
  await form.getByLabel("Add an asset").selectOption("ETH");
  await expect(form.getByText("Only USD and ETH may be spent.")).toBeVisible();
  await form.getByRole("button", { name: "Remove USD" }).click();
  await expect(form.getByText("Only ETH may be spent.")).toBeVisible();
  await expect(form.getByLabel("Add an asset")).toBeFocused();

  await form.getByLabel("Add a known contract").selectOption("Uniswap router");
  await expect(form.getByText("Every method of it may be called.")).toBeVisible();
  await form.getByLabel("Add a method of Uniswap router").selectOption("exactInput");
  await form.getByLabel("Another method of Uniswap router").fill("multicall(bytes[])");
  await page.keyboard.press("Enter");
  await expect(form.getByText("Only these methods may be called.")).toBeVisible();
  await form.getByLabel("Another recipient’s address").fill("nonsense");
  await form.getByRole("button", { name: "Create wallet" }).click();
  await expect(form.getByText(/^Not an address/)).toBeVisible();
  await form.getByRole("button", { name: "Remove nonsense" }).click();
  await form.getByLabel("Another recipient’s address").fill(FRIEND.toLowerCase());
  await expectGoodLooks(page);
  await form.getByRole("button", { name: "Create wallet" }).click();

  await expect(page.getByRole("heading", { name: "Narrow", level: 1 })).toBeVisible();
  const policy = page.locator("section", { has: page.getByRole("heading", { name: "Policy", exact: true }) });
  await expect(policy).toContainText("exactInput, multicall(bytes[])");
  await expect(policy).toContainText("Uniswap router");
  await expect(policy).toContainText(FRIEND);
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "Edit policy" }).click();
  const editor = page.getByRole("dialog", { name: "Edit policy" });
  await expect(editor.getByText("Only these methods may be called.")).toBeVisible();
  await editor.getByLabel("Add a method of Uniswap router").selectOption("Every method");
  await editor.getByRole("button", { name: "Save policy" }).click();
  await expect(page.getByText("Version 2.")).toBeVisible();
  await expect(policy).toContainText("Every method");
});

test("a person signs a message, the policy can forbid it, and nobody’s change of it is overwritten", async ({
  page,
}) => {
  await signUp(page);
  await createWallet(page, "Signer");
  const walletId = page.url().split("/").at(-1);
  await page.getByRole("button", { name: "Sign", exact: true }).click();
  await page.getByRole("textbox", { name: "Message" }).fill("I was here.");
  await page.getByRole("button", { name: "Get quote" }).click();
  await page.getByRole("button", { name: "Sign now" }).click();
  await expect(page.getByText(/^0x[0-9a-f]{130}$/)).toBeVisible();

  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Edit policy" }).click();
  await page.getByLabel("Messages may be signed").uncheck();
  await page.getByRole("button", { name: "Save policy" }).click();
  await expect(page.getByText("Version 2.")).toBeVisible();

  // A change by somebody else while the editor is open is not overwritten, and the typed values stay.
  await expect(page).toHaveURL(/\/wallets\/\w+$/);
  await page.getByRole("button", { name: "Edit policy" }).click();
  const editor = page.getByRole("dialog", { name: "Edit policy" });
  await editor.getByLabel("Messages may be signed").check();
  await mutate(page, "wallets.policy.update", { walletId, ifVersion: 2, dailyLimitUsd: "500" });
  await expect(page.getByText("Version 3.")).toBeVisible();
  await editor.getByRole("button", { name: "Save policy" }).click();
  await expect(editor).toContainText("The policy is at version 3, not 2.");
  await expect(editor.getByLabel("Messages may be signed")).toBeChecked();
});

test("the pages pass the checks of every page", async ({ page }) => {
  await signUp(page, "/wallets");
  await expectGoodLooks(page);
  await page.goto("/wallets/new");
  await expect(page.getByRole("dialog", { name: "New wallet" })).toBeVisible();
  await expectGoodLooks(page);
  await createWallet(page, "Treasury", { "Most per day (USD)": "1000" });
  await expectGoodLooks(page);
  for (const name of ["Send", "Sign", "Edit policy"]) {
    await page.getByRole("button", { name, exact: true }).click();
    await expect(page.getByRole("dialog", { name })).toBeVisible();
    await expectGoodLooks(page);
    await page.keyboard.press("Escape");
  }
});
