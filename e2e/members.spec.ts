import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Browser, expect, type Page, test } from "@playwright/test";
import { TOTP } from "otpauth";
import { expectGoodLooks } from "./looks.ts";
import { newEmail, PASSWORD, signIn, signUp, signUpByForm } from "./people.ts";

const role = (page: Page) => page.getByRole("dialog").getByLabel("Role", { exact: true });
const members = (page: Page) => page.getByRole("table", { name: "Members" });

/** Opens a page as a signed-out visitor. */
async function visit(browser: Browser, path: string) {
  const page = await (await browser.newContext()).newPage();
  await page.goto(path);
  return page;
}

/** Invites a person on the members page; returns the link to hand over. */
async function invite(page: Page, email: string, as = "Developer") {
  await page.goto("/members");
  await page.getByRole("button", { name: "Invite member" }).click();
  await page.getByLabel("Email").fill(email);
  await role(page).selectOption(as);
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Hand over the invitation" });
  const link = (await dialog.locator("code").textContent()) ?? "";
  await dialog.getByRole("button", { name: "I have sent it" }).click();
  return new URL(link).pathname;
}

/** Selects an item of the menu in a member's row. */
async function choose(page: Page, email: string, item: string) {
  const row = members(page).getByRole("row").filter({ hasText: email });
  await row.getByRole("button").click();
  await page.getByRole("menuitem", { name: item }).click();
}

test("an owner invites somebody, changes their role, and removes them", async ({ page, browser }) => {
  const email = newEmail();
  await signUp(page, "/members");
  await expectGoodLooks(page);
  await page.goto("/members/new");
  await expect(page.getByRole("dialog", { name: "Invite member" })).toBeVisible();
  await expectGoodLooks(page);
  const link = await invite(page, email);
  const invitations = page.getByRole("table", { name: "Invitations" });
  await expect(invitations).toContainText(email);
  await expectGoodLooks(page);
  await invite(page, `un${email}`);
  await page.getByRole("searchbox", { name: "Search" }).fill(`UN${email}`);
  await expect(invitations.getByRole("row")).toHaveCount(2);
  await page.getByRole("checkbox", { name: `Choose un${email}` }).check();
  await page.getByRole("button", { name: "Revoke 1 invitation" }).click();
  const many = page.getByRole("dialog", { name: "Revoke 1 invitation?" });
  await many.getByRole("button", { name: "Revoke", exact: true }).click();
  await expect(many).toContainText("Done: 1 of 1.");
  await many.getByRole("button", { name: "Close" }).last().click();
  await page.getByRole("radio", { name: "Revoked" }).check();
  await expect(invitations).toContainText(`un${email}`);

  const guest = await visit(browser, link);
  await expect(guest.getByRole("heading", { name: "Join Ada Lovelace" })).toBeVisible();
  await expectGoodLooks(guest);
  await guest.getByLabel("Name").fill("Grace Hopper");
  await guest.getByLabel("Password").fill(PASSWORD);
  await guest.getByRole("button", { name: "Sign up and join" }).click();
  await expect(guest).toHaveURL("/");
  await guest.goto("/members");
  await expect(members(guest).getByText("Grace Hopper")).toBeVisible();
  await expect(guest.getByRole("button", { name: "Invite member" })).toHaveCount(0);
  await guest.goto(link);
  await expect(guest.getByRole("heading", { name: "This invitation is over" })).toBeVisible();

  await page.getByRole("link", { name: "Members" }).last().click();
  await choose(page, email, "Change role");
  await expect(role(page)).toHaveValue("developer");
  await expectGoodLooks(page);
  await role(page).selectOption("Viewer");
  await page.getByRole("dialog").getByRole("button", { name: "Change role" }).click();
  await expect(members(page).getByRole("row").filter({ hasText: email })).toContainText("Viewer");

  await choose(page, email, "Remove");
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await expect(members(page)).not.toContainText(email);
  await guest.goto("/members");
  await expect(guest).toHaveURL(/\/sign-in/);
});

test("an owner changes the role of several members, and removes several", async ({ page, browser }) => {
  test.slow();
  await signUp(page, "/members");
  const emails = [newEmail(), newEmail(), newEmail()];
  for (const email of emails) {
    const invitation = (await invite(page, email)).split("/").at(-1) as string;
    const guest = await (await browser.newContext()).newPage();
    await signUp(guest, undefined, { email, invitation });
  }
  await page.goto("/members");
  const rowOf = (email: string) => members(page).getByRole("row").filter({ hasText: email });
  const choose = async (chosen: string[]) => {
    for (const email of chosen) await rowOf(email).getByRole("checkbox").check();
  };
  const [first = "", second = "", third = ""] = emails;
  await expect(page.getByRole("checkbox", { name: "Choose Ada Lovelace" })).toHaveCount(0);

  await choose([first, second]);
  await page.getByRole("button", { name: "Change role of 2 members" }).click();
  const changing = page.getByRole("dialog", { name: "Change role of 2 members?" });
  await expect(changing.getByRole("listitem")).toHaveText([/, Developer/, /, Developer/]);
  await changing.getByLabel("Role").selectOption("Approver");
  await expectGoodLooks(page);
  await changing.getByRole("button", { name: "Change role" }).click();
  await expect(changing).toContainText("Done: 2 of 2.");
  await changing.getByRole("button", { name: "Close" }).last().click();
  await expect(rowOf(first)).toContainText("Approver");
  await expect(rowOf(second)).toContainText("Approver");
  await expect(rowOf(third)).toContainText("Developer");

  await choose([second, third]);
  // Meanwhile another window removes one of them.
  const other = await page.context().newPage();
  await other.goto("/members");
  const row = members(other).getByRole("row").filter({ hasText: second });
  await row.getByRole("button").click();
  await other.getByRole("menuitem", { name: "Remove" }).click();
  await other.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await expect(members(other)).not.toContainText(second);
  await page.getByRole("button", { name: "Remove 2 members" }).click();
  const removing = page.getByRole("dialog", { name: "Remove 2 members?" });
  await removing.getByRole("button", { name: "Remove", exact: true }).click();
  await expect(removing).toContainText("Done: 1 of 2.");
  await expect(removing.getByRole("listitem").filter({ hasText: second })).toContainText("No member");
  await removing.getByRole("button", { name: "Close" }).last().click();
  await expect(members(page)).not.toContainText(third);
  await expect(rowOf(first)).toBeVisible();
});

test("an account keeps its last owner", async ({ page }) => {
  const { email } = await signUp(page, "/members");
  await choose(page, email, "Leave");
  await page.getByRole("alertdialog").getByRole("button", { name: "Leave" }).click();
  await expect(page.getByRole("alertdialog")).toContainText("is the account's last owner");
});

test("a person of two accounts goes from one to the other", async ({ page, browser }) => {
  await signUp(page, "/members");
  const other = await visit(browser, "/sign-up");
  const { email } = await signUp(other, "/projects");
  const link = await invite(page, email, "Viewer");
  await other.goto(link);
  await other.getByRole("button", { name: "Join account" }).click();
  await expect(other).toHaveURL("/");
  await other.goto("/members");
  await expect(members(other).getByRole("row")).toHaveCount(3);
  await other.getByRole("button", { name: /^Account: / }).click();
  await other.getByRole("menuitem", { name: "Switch to Ada Lovelace" }).click();
  await expect(other).toHaveURL("/");
  await other.goto("/members");
  await expect(members(other).getByRole("row")).toHaveCount(2);
});

test("a person who is not the invited one learns that", async ({ page, browser }) => {
  await signUp(page, "/members");
  const link = await invite(page, newEmail());
  const other = await visit(browser, "/sign-up");
  const { email } = await signUp(other, "/members");
  await other.goto(link);
  await expect(other.getByText(`You are signed in as ${email}.`)).toBeVisible();
  await expect(other.getByRole("button", { name: "Join account" })).toHaveCount(0);
});

/** Enrols a second factor on its page. */
async function enrol(page: Page) {
  const call = async (path: string, data: unknown) => {
    const headers = { origin: new URL(page.url()).origin };
    const answer = await page.request.post(`/api/trpc/me.secondFactor.${path}`, { headers, data });
    return (await answer.json()).result.data;
  };
  const { secret } = await call("begin", { password: PASSWORD });
  await call("confirm", { code: new TOTP({ secret }).generate() });
}

test("a required second factor leads everybody without one to set it up", async ({ page, browser }) => {
  const email = newEmail();
  await signUp(page, "/members");
  const link = await invite(page, email);
  const guest = await visit(browser, link);
  await guest.getByLabel("Name").fill("Grace Hopper");
  await guest.getByLabel("Password").fill(PASSWORD);
  await guest.getByRole("button", { name: "Sign up and join" }).click();
  await expect(guest).toHaveURL("/");
  await guest.goto("/members");
  await expect(members(guest)).toBeVisible();

  await page.goto("/members");
  await page.getByRole("button", { name: "Require it" }).click();
  const dialog = page.getByRole("alertdialog");
  await dialog.getByRole("button", { name: "Require it" }).click();
  await expect(dialog).toContainText("You have no second factor yourself");
  await enrol(page);
  await dialog.getByRole("button", { name: "Require it" }).click();
  await expect(page.getByText("Required of every member")).toBeVisible();

  // The open page redirects there by itself.
  await expect(guest).toHaveURL("/security/second-factor");
  const later = await guest.context().newPage();
  await later.goto("/projects");
  await expect(later).toHaveURL("/security/second-factor");
  await expect(later.getByText("Ada Lovelace requires a second factor of every member.")).toBeVisible();
  await enrol(later);
  await later.goto("/projects");
  await expect(later.getByRole("heading", { name: "Projects", exact: true })).toBeVisible();
});

/** Makes the person's last proof of identity an hour old. */
function ageProof(email: string) {
  const script = fileURLToPath(new URL("age-proof.ts", import.meta.url));
  execFileSync(process.execPath, [script, email]);
}

test("an old sign-in is asked for the password before a key is made, and the key is made then", async ({
  page,
}) => {
  const { email } = await signUp(page, "/api-keys/new");
  ageProof(email);
  await page.getByLabel("Label").fill("Backend");
  await page.getByRole("checkbox", { name: "projects:read" }).check();
  await page.getByRole("button", { name: "Create key" }).click();
  const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
  await expect(dialog.getByLabel("Password")).toBeFocused();
  await expectGoodLooks(page);
  await dialog.getByLabel("Password").fill("not the password");
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await expect(dialog).toContainText("The password is wrong.");
  await dialog.getByLabel("Password").fill(PASSWORD);
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByText(/^svc_live_/)).toBeVisible();
});

test("a person who does not confirm sees that nothing has changed", async ({ page }) => {
  const { email } = await signUp(page, "/members/new");
  ageProof(email);
  await page.getByLabel("Email").fill(newEmail());
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
  await expect(dialog.getByLabel("Password")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByText("Nobody was invited.")).toBeVisible();
  await expect(page.getByLabel("Email")).not.toHaveValue("");
});

test("an owner deletes the account, and starts anew with the same address", async ({ page }) => {
  const { email } = await signUpByForm(page, "/members");
  await page.getByRole("button", { name: "Delete account" }).click();
  const dialog = page.getByRole("alertdialog");
  const confirm = dialog.getByRole("button", { name: "Delete account" });
  await expect(confirm).toBeDisabled();
  await expectGoodLooks(page);
  await dialog.getByLabel(/^Type .+ to confirm$/).fill("Ada Lovelace");
  await confirm.click();
  await expect(page).toHaveURL("/sign-in");
  await signIn(page, email);
  await expect(page.getByText("The e-mail address or the password is wrong.")).toBeVisible();
  await signUp(page, "/members", { email });
});
