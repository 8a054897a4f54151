import { expect, type Page, test } from "@playwright/test";
import { floodChanges } from "./changes-flood.ts";
import { countClicks } from "./clicks.ts";
import { callApi, createKey } from "./keys.ts";
import { expectGoodLooks } from "./looks.ts";
import { signUp, signUpByForm } from "./people.ts";

const SCOPES = ["services:read", "services:invoke", "approvals:read", "approvals:write"];

const rows = (page: Page) => page.getByRole("table", { name: "Approvals" }).locator("tbody tr");
const panel = (page: Page) => page.getByRole("dialog", { name: "Approval" });
const pending = (page: Page) => page.getByRole("navigation", { name: "Main" }).getByText(/^\d+ pending$/);

/** Invokes an operation of `managed-memory` with a key. */
function invoke(page: Page, secret: string, operationId: string, input: unknown, approvalId?: string) {
  const body = { operationId, input, approvalId };
  return callApi(page.request, secret, "POST", "/services/managed-memory/invoke", body);
}

/** Requests with a key to delete a memory. */
async function ask(
  page: Page,
  secret: string,
  name: string,
  reason?: string,
): Promise<{ id: string; payloadHash: string }> {
  const body = { serviceId: "managed-memory", operationId: "delete", input: { name }, reason };
  const { body: answer } = await callApi(page.request, secret, "POST", "/approvals/service-actions", body);
  return answer.approval;
}

test("a key requests an approval, a person reviews and approves it, and the key's call succeeds once", async ({
  page,
}) => {
  await signUp(page, "/approvals");
  await expect(page.getByText("Nothing waits for a decision")).toBeVisible();
  await expectGoodLooks(page);
  const { secret } = await createKey(page, { label: "Backend", scopes: SCOPES });
  await invoke(page, secret, "put", { name: "greeting", content: "Hello, world." });
  const approval = await ask(page, secret, "greeting", "The customer left.");

  // The request appears without a reload.
  await expect(rows(page)).toHaveCount(1);
  await expect(pending(page)).toHaveText("1 pending");
  await expect(page).toHaveTitle(/^\(1\) Approvals/);
  await expect(page.locator("link[rel=icon]")).toHaveAttribute("href", /^data:image/);
  await expectGoodLooks(page);
  await page.getByRole("link", { name: /^Delete the memory "greeting" for good: 13 characters/ }).click();
  await expect(page).toHaveURL(`/approvals/${approval.id}`);
  await expect(panel(page)).toContainText("The customer left.");
  await expect(panel(page).getByRole("region", { name: "payload" })).toContainText('"name": "greeting"');
  await expect(panel(page)).toContainText(approval.payloadHash);
  await expect(panel(page)).toContainText("This browser has computed it anew");
  const effects = panel(page).getByRole("list", { name: "What it changes" });
  await expect(effects.getByRole("listitem").filter({ hasText: "Characters" })).toContainText("13");
  await expect(effects.getByRole("listitem").filter({ hasText: "Characters" })).toContainText("Gone");
  await expect(panel(page)).toContainText("The call costs no credits.");
  await expectGoodLooks(page);

  await panel(page).getByRole("button", { name: "Approve" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Approve this?" });
  await expect(dialog).toContainText("managed-memory delete once with exactly this input, until");
  await dialog.getByLabel("Reason").fill("Seen.");
  await expectGoodLooks(page);
  await dialog.getByRole("button", { name: "Approve" }).click();
  await expect(panel(page)).toContainText("It may be done once");
  await expect(panel(page).getByRole("list", { name: "Decisions" })).toContainText("Seen.");
  await page.keyboard.press("Escape");
  await expect(rows(page)).toHaveCount(0);
  await expect(pending(page)).toHaveCount(0);
  await expect(page).toHaveTitle(/^Approvals/);
  await expect(page.locator("link[rel=icon]")).toHaveAttribute("href", /icon/);

  expect((await invoke(page, secret, "delete", { name: "greeting" }, approval.id)).status).toBe(200);
  expect((await invoke(page, secret, "delete", { name: "greeting" }, approval.id)).status).toBe(409);
  await page.goto("/approvals?status=consumed");
  await expect(rows(page)).toHaveCount(1);
});

test("a person handles the inbox by keyboard alone, and a rejected request ends", async ({ page }) => {
  await signUp(page, "/approvals");
  const { secret } = await createKey(page, { label: "Backend", scopes: SCOPES });
  const approval = await ask(page, secret, "greeting");
  await expect(rows(page)).toHaveCount(1);
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expect(panel(page)).toBeVisible();
  await panel(page).getByRole("button", { name: "Reject" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("alertdialog", { name: "Reject this?" });
  await expect(dialog).toContainText("One rejection ends the approval");
  await dialog.getByLabel("Reason").focus();
  await page.keyboard.type("Too early.");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(dialog).toHaveCount(0);
  await expect(panel(page)).toContainText("Too early.");
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL("/approvals");
  await expect(rows(page)).toHaveCount(0);
  const late = { decision: "approve", payloadHash: approval.payloadHash };
  expect((await callApi(page.request, secret, "POST", `/approvals/${approval.id}`, late)).status).toBe(409);
  await page.getByLabel("Rejected", { exact: true }).check();
  await expect(page).toHaveURL("/approvals?status=rejected");
  await page.reload();
  await expect(rows(page)).toHaveCount(1);
});

test("a second decision is refused, and its person sees the first decision", async ({ page }) => {
  await signUp(page);
  const { secret } = await createKey(page, { label: "Backend", scopes: SCOPES });
  const approval = await ask(page, secret, "greeting");
  await page.goto(`/approvals/${approval.id}`);
  await panel(page).getByRole("button", { name: "Approve" }).click();
  const first = { decision: "reject", payloadHash: approval.payloadHash };
  await callApi(page.request, secret, "POST", `/approvals/${approval.id}`, first);
  await page.getByRole("alertdialog").getByRole("button", { name: "Approve" }).click();
  await expect(page.getByRole("alertdialog")).toContainText("rejected it before you");
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(panel(page).getByRole("list", { name: "Decisions" })).toContainText("Rejected");
  await expect(panel(page).getByRole("button", { name: "Approve" })).toHaveCount(0);
});

test("a person decides several requests for the same action together, each by its own hash", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["notifications"]);
  await page.addInitScript(() => {
    const told: string[] = [];
    class Told {
      static permission = "granted";
      static requestPermission = async () => "granted";
      constructor(_title: string, { body }: { body: string }) {
        told.push(body);
      }
      close() {}
    }
    Object.assign(window, { Notification: Told, told });
    document.hasFocus = () => false;
  });
  // Only what comes after the first count is new.
  const counted = page.waitForResponse(/approvals\.pending\.read/, { timeout: 120_000 });
  await signUp(page, "/approvals");
  await counted;
  const { secret } = await createKey(page, { label: "Backend", scopes: SCOPES });
  await page.getByLabel("Notify in this browser").check();
  await ask(page, secret, "one");
  await expect(rows(page)).toHaveCount(1);
  await expect
    .poll(() => page.evaluate(() => (window as unknown as { told: string[] }).told))
    .toEqual(["An approval waits for a decision."]);
  const two = await ask(page, secret, "two");
  const three = await ask(page, secret, "three");
  await expect(rows(page)).toHaveCount(3);
  await rows(page).filter({ hasText: '"one"' }).getByRole("checkbox").check();
  await rows(page).filter({ hasText: '"two"' }).getByRole("checkbox").check();
  await page.getByRole("button", { name: "Approve 2 approvals" }).click();
  const dialog = page.getByRole("dialog", { name: "Approve 2 approvals?" });
  await expect(dialog).toContainText(`${two.payloadHash.slice(0, 12)}…`);
  await expect(dialog).toContainText("managed-memory delete once with exactly this input, until");
  await expectGoodLooks(page);
  // Another person decides one of them first.
  const first = { decision: "reject", payloadHash: two.payloadHash };
  await callApi(page.request, secret, "POST", `/approvals/${two.id}`, first);
  await dialog.getByRole("button", { name: "Approve", exact: true }).click();
  await expect(dialog).toContainText("Done: 1 of 2.");
  await expect(dialog).toContainText("is rejected; only a pending one is decided. Backend rejected it on");
  await dialog.getByRole("button", { name: "Close", exact: true }).last().click();
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('"three"');
  expect(three.payloadHash).not.toBe(two.payloadHash);
  // The one that failed is still selected; by now, nothing waits.
  await rows(page).getByRole("checkbox").check();
  const last = { decision: "reject", payloadHash: three.payloadHash };
  await callApi(page.request, secret, "POST", `/approvals/${three.id}`, last);
  await page.getByRole("button", { name: "Approve 2 approvals" }).click();
  await expect(page.getByText("Nothing that you chose waits for a decision any more.")).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await page.goto("/approvals?status=approved");
  await expect(rows(page)).toHaveText([/"one"/]);
});

test("a person requests an approval on the service's page, has it approved, and runs the operation there", async ({
  page,
}) => {
  const clicks = await countClicks(page);
  await signUpByForm(page, "/");
  const { secret } = await createKey(page, { label: "Backend", scopes: SCOPES });
  const put = await invoke(page, secret, "put", { name: "greeting", content: "Hello, world." });
  await page.getByRole("link", { name: "Services", exact: true }).click();
  await page.getByRole("link", { name: "Managed memory" }).click();
  await page.getByRole("link", { name: "Delete a memory" }).click();
  await page.getByLabel("id", { exact: true }).fill(put.body.result.memory.id);
  await page.getByRole("button", { name: "Ask for approval" }).click();
  await expect(page).toHaveURL(/\/services\/managed-memory\/delete\?approvalId=appr_\w+$/);
  await expect(page.getByText("It waits for a decision.")).toBeVisible();
  await page.getByRole("link", { name: "Open the approval" }).click();
  await panel(page).getByRole("button", { name: "Approve" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Approve" }).click();
  await expect(panel(page)).toContainText("It may be done once");
  expect(clicks()).toBeLessThanOrEqual(8);
  await panel(page).getByRole("link", { name: "here" }).click();
  await page.getByRole("button", { name: "Invoke" }).click();
  await expect(page.getByText("Answered with 200, charged 0 credits ($0.00).")).toBeVisible();
  await expect(page.getByRole("region", { name: "result" })).toContainText('"name": "greeting"');
  await expect(page.getByRole("button", { name: "Invoke" })).toHaveCount(0);
  await expectGoodLooks(page);
  expect((await invoke(page, secret, "get", { name: "greeting" })).status).toBe(404);
});

test("a hostile name and reason are shown as text", async ({ page }) => {
  await signUp(page);
  const label = '<img src=x onerror="document.title=1"> 😀';
  const { secret } = await createKey(page, { label, scopes: SCOPES });
  const approval = await ask(page, secret, `<b>${"x".repeat(150)}\u202egnp`, `${"y".repeat(1990)} 😀`);
  await page.goto(`/approvals/${approval.id}`);
  await expect(panel(page)).toContainText("<b>xxx");
  await expect(page).toHaveTitle(/^\(1\) Approvals/);
  await expectGoodLooks(page);
});

test("a person decides on a phone: everything needed is in reach of a thumb", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signUp(page, "/approvals");
  const { secret } = await createKey(page, { label: "Backend", scopes: SCOPES });
  await invoke(page, secret, "put", { name: "greeting", content: "Hello, world." });
  await ask(page, secret, "greeting", "The customer left.");
  await page.getByRole("link", { name: /^Delete the memory "greeting" for good/ }).click();
  await expect(panel(page)).toContainText("The customer left.");
  const approve = panel(page).getByRole("button", { name: "Approve" });
  for (const button of [approve, panel(page).getByRole("button", { name: "Reject" })]) {
    await expect(button).toBeInViewport({ ratio: 1 });
    expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(32);
  }
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  await approve.click();
  const dialog = page.getByRole("alertdialog", { name: "Approve this?" });
  await expect(dialog.getByRole("button", { name: "Approve" })).toBeInViewport({ ratio: 1 });
  await dialog.getByRole("button", { name: "Approve" }).click();
  await expect(panel(page)).toContainText("It may be done once");
});

test("an approval is decided while a thousand changes a second arrive, and new ones appear", async ({
  page,
}) => {
  await signUp(page, "/approvals");
  const { secret } = await createKey(page, { label: "Backend", scopes: SCOPES });
  await ask(page, secret, "greeting");
  const flood = await floodChanges(page, "approvals");
  await page.goto("/approvals");
  await expect.poll(flood.sent).toBeGreaterThan(1_000);
  await ask(page, secret, "farewell");
  await expect(rows(page)).toHaveCount(2);
  await expect(pending(page)).toHaveText("2 pending");

  await rows(page).filter({ hasText: "farewell" }).getByRole("link").first().click();
  await panel(page).getByRole("button", { name: "Reject" }).click();
  const dialog = page.getByRole("alertdialog");
  const reason = dialog.getByLabel("Reason");
  await reason.pressSequentially("Not today.");
  await expect.poll(flood.sent).toBeGreaterThan(4_000);
  await expect(reason).toHaveValue("Not today.");
  await dialog.getByRole("button", { name: "Reject" }).click();
  await expect(panel(page).getByRole("list", { name: "Decisions" })).toContainText("Not today.");
  await page.keyboard.press("Escape");
  await expect(rows(page)).toHaveCount(1);
  expect(flood.reads()).toBeLessThan(flood.mostReads());
  await flood.stop();
});
