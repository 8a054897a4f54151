import { expect, test } from "@playwright/test";
import { expectGoodLooks } from "./looks.ts";
import { awaitScripts, signUp } from "./people.ts";
import { createWallet, FRIEND, fund, quoteSend } from "./wallets.ts";

test("an address gets a name, which is shown beside it where people send, decide and read", async ({
  page,
}) => {
  test.slow();
  const name = `Payroll ${"ا".repeat(192)}`;
  await signUp(page, "/wallets");
  await page.getByRole("link", { name: "Address book" }).click();
  await expect(page.getByText("No contacts yet")).toBeVisible();
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "New contact" }).click();
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Address", { exact: true }).fill(FRIEND.replace("C5", "c5"));
  await page.getByRole("button", { name: "Create contact" }).click();
  await expect(page.getByText("Not an address")).toBeVisible();
  await page.getByLabel("Address", { exact: true }).fill(FRIEND.toLowerCase());
  await expectGoodLooks(page);
  await page.keyboard.press("Enter");
  const contacts = page.getByRole("table", { name: "Contacts" });
  await expect(contacts).toContainText(name);
  await expect(contacts).toContainText("Never");
  await expectGoodLooks(page);

  await createWallet(page, "Careful", { "Needed above (USD)": "5" }, ["Who asks may approve too"]);
  await fund(page);
  const wallet = page.url();
  await page.getByRole("button", { name: "Send", exact: true }).click();
  const to = page.getByLabel("To", { exact: true });
  await to.fill("payr");
  await expect(page.locator("datalist option")).toHaveAttribute("value", FRIEND);
  await to.fill(FRIEND);
  const note = page.getByRole("dialog", { name: "Send" }).getByRole("status");
  await expect(note).toContainText("This wallet has never sent there.");
  await expect(note).toContainText("Payroll");
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "Cancel" }).click();

  await quoteSend(page, "10");
  await expect(page.getByText(/^Send 10 USD to Payroll/)).toBeVisible();
  await page.getByRole("button", { name: "Ask for approval" }).click();
  await expect(page.getByRole("dialog", { name: "Sent" })).toContainText("Awaiting approval");
  await page.goto("/approvals");
  await awaitScripts(page);
  await page.getByRole("link", { name: /Send 10 USD to Payroll/ }).click();
  const panel = page.getByRole("dialog", { name: "Approval" });
  await expect(panel.getByRole("list", { name: "Calls" })).toContainText("transfer(address,uint256)");
  await expect(panel.getByRole("list", { name: "Calls" })).toContainText("10000000");
  await expect(panel.getByRole("list", { name: "Calls" })).toContainText("Payroll");
  await expectGoodLooks(page);
  await page.keyboard.press("Escape");
  await page.getByRole("checkbox", { name: /^Choose Send 10/ }).check();
  await page.getByRole("button", { name: "Approve 1 approval" }).click();
  await expect(page.getByRole("dialog")).toContainText("In all they spend 10 USD.");
  await page.getByLabel("Reason for each").fill("Wages of May.");
  await page.getByRole("dialog").getByRole("button", { name: "Approve", exact: true }).click();
  await expect(page.getByRole("dialog").getByText("Done: 1 of 1.")).toBeVisible();

  await page.goto(wallet);
  const sent = page
    .getByRole("table", { name: "Activity" })
    .getByRole("row", { name: /Sent 10 USD to Payroll/ });
  await expect(sent).toContainText("Confirmed", { timeout: 90_000 });
  await page.getByRole("searchbox", { name: "Search" }).fill(FRIEND.slice(0, 12).toLowerCase());
  await expect(page.getByText("1 row", { exact: true })).toBeVisible();
  await page.getByLabel("Direction").selectOption("Received");
  await expect(page.getByText("Nothing matches these filters.")).toBeVisible();
  await page.getByLabel("Direction").selectOption("Sent");
  await expect(sent).toBeVisible();
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "Edit policy" }).click();
  await page.getByLabel("Add from the address book").selectOption({ label: name });
  await expect(page.getByRole("list", { name: "Recipients" })).toContainText(`${name}${FRIEND}`);
  await page.getByRole("button", { name: "Save policy" }).click();
  await expect(page.getByText("Version 2.")).toBeVisible();
  await expect(page.getByRole("link", { name }).first()).toBeVisible();

  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").getByRole("combobox").fill("payr");
  await page.getByRole("option", { name: /^Payroll.*Contact$/ }).click();
  await expect(page.getByRole("dialog").getByLabel("Name")).toHaveValue(name);
  await expectGoodLooks(page);
});
