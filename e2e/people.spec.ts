import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { TOTP } from "otpauth";
import { expectAccessible, expectGoodLooks } from "./looks.ts";
import { PASSWORD, signIn, signUp, signUpByForm } from "./people.ts";

const accountCommand = fileURLToPath(new URL("../server/boot/commands/account.ts", import.meta.url));
const runAccountCommand = (...args: string[]) =>
  JSON.parse(execFileSync(process.execPath, [accountCommand, ...args]).toString());

test("a person signs up, signs out, and signs in again where they wanted to go", async ({ page }) => {
  const { email } = await signUpByForm(page);
  await expect(page.getByRole("heading", { name: "Security" })).toBeVisible();
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL("/sign-in");

  await page.goto("/security?from=here");
  await expect(page).toHaveURL("/sign-in?next=%2Fsecurity%3Ffrom%3Dhere");
  await expectGoodLooks(page);
  await signIn(page, email, "not the password");
  await expect(page.getByText("The e-mail address or the password is wrong.")).toBeVisible();
  await signIn(page, email);
  await expect(page).toHaveURL("/security?from=here");
  await page.goto("/sign-in?next=/security");
  await expect(page).toHaveURL("/security");
});

test("a form waits for the page's scripts, so that no password gets into an address", async ({ browser }) => {
  const page = await browser.newPage({ javaScriptEnabled: false });
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill("ada@example.test");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByLabel("Password").press("Enter");
  await expect(page.getByRole("button", { name: "Sign in" })).toBeDisabled();
  await expect(page).toHaveURL("/sign-in");
});

test("a filter that is chosen the moment the page's scripts are there filters", async ({ page }) => {
  await signUp(page, "/runs");
  await page.addInitScript(() => {
    const choose = ({ target }: MutationRecord) => {
      if (!(target instanceof HTMLSelectElement) || target.ariaLabel !== "Status" || target.disabled) return;
      target.value = "cancelled";
      target.dispatchEvent(new Event("change", { bubbles: true }));
    };
    new MutationObserver((changes) => changes.forEach(choose)).observe(document, {
      subtree: true,
      attributeFilter: ["disabled"],
    });
  });
  await page.goto("/runs");
  await expect(page.getByText("Nothing matches these filters.")).toBeVisible();
  await expect(page).toHaveURL("/runs?status=cancelled");
});

test("the sign-up form names every fault at its field", async ({ page }) => {
  await page.goto("/sign-up");
  await expectGoodLooks(page);
  await page.getByLabel("Email").fill("ada");
  await page.getByLabel("Password").fill("elevenchars");
  await page.getByRole("button", { name: "Sign up" }).click();
  await expect(page.getByText("This field is required.")).toBeVisible();
  await expect(page.getByText("Send an e-mail address, e.g. ada@example.com.")).toBeVisible();
  await expect(page.getByText("The password has 11 characters. Use at least 12.")).toBeVisible();
});

test("a taken address is refused in words", async ({ page, browser }) => {
  const { email } = await signUp(page);
  const other = await (await browser.newContext()).newPage();
  await other.goto("/sign-up");
  await other.getByLabel("Name").fill("Eve");
  await other.getByLabel("Email").fill(email.toUpperCase());
  await other.getByLabel("Password").fill(PASSWORD);
  await other.getByRole("button", { name: "Sign up" }).click();
  await expect(other.getByText(`Somebody has signed up as ${email}. Sign in instead.`)).toBeVisible();
});

test("a session that is revoked elsewhere ends at once", async ({ page, browser }) => {
  const { email } = await signUp(page);
  const other = await (await browser.newContext()).newPage();
  await other.goto("/sign-in?next=/security");
  await signIn(other, email);
  await expect(other).toHaveURL("/security");

  await page.goto("/security");
  const sessions = page.getByRole("table", { name: "Sessions" });
  await expect(sessions.getByText("This session")).toHaveCount(1);
  await sessions.getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke" }).click();
  await expect(sessions.getByRole("button", { name: "Revoke" })).toHaveCount(0);

  await expect(other).toHaveURL("/sign-in?next=%2Fsecurity");
  await expect(page.getByText("This session")).toBeVisible();
});

test("revoking a session while a form is open loses no typed text", async ({ page, browser }) => {
  test.slow();
  const { email } = await signUp(page);
  const other = await (await browser.newContext()).newPage();
  const listening = other.waitForResponse(/me\.changes/, { timeout: 120_000 });
  await other.goto("/sign-in?next=/projects/new");
  await signIn(other, email);
  await listening;
  await other.getByLabel("Name").fill("Half written");

  await page.goto("/security");
  await page.getByRole("button", { name: "Revoke", exact: true }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke" }).click();

  const dialog = other.getByRole("dialog", { name: "Your session has ended" });
  await expect(dialog).toBeVisible();
  await expect(other.getByRole("textbox", { name: "Name" })).toHaveCount(0);
  expect((await other.request.get("/api/trpc/projects.list")).status()).toBe(401);
  await expectAccessible(other);
  await dialog.getByLabel("Password").fill(PASSWORD);
  await dialog.getByRole("button", { name: "Sign in" }).click();
  await expect(other.getByLabel("Name")).toHaveValue("Half written");
  await other.getByRole("button", { name: "Create project" }).click();
  await expect(other.getByRole("heading", { name: "Half written" })).toBeVisible();
});

test("a second factor is set up, asked for, and turned off again", async ({ page }) => {
  test.slow();
  const { email } = await signUp(page, "/security");
  await page.getByRole("button", { name: "Set up second factor" }).click();
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("img", { name: "QR code for your authenticator app" })).toBeVisible();
  await expectAccessible(page);
  const secret = (await page.getByText(/^[A-Z2-7]{32}$/).textContent()) ?? "";
  // Three consecutive codes are sent; the first one's time step must not end meanwhile.
  const into = Date.now() % 30_000;
  if (into > 5_000) await page.waitForTimeout(30_000 - into);
  const code = (steps: number) => new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 });

  await page.getByLabel("Code").fill("000000");
  await page.getByRole("button", { name: "Turn on" }).click();
  await expect(page.getByText("The code is wrong, or was used before.")).toBeVisible();
  await page.getByLabel("Code").fill(code(-1));
  await page.getByRole("button", { name: "Turn on" }).click();
  const codes = page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
  await expect(codes).toHaveCount(10);
  const recoveryCode = (await codes.first().textContent()) ?? "";
  await page.getByRole("link", { name: "I have kept them" }).click();
  await expect(page.getByRole("button", { name: "Turn off second factor" })).toBeVisible();

  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL("/sign-in");
  await signIn(page, email);
  await page.getByLabel("Code").fill(code(0));
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL("/");

  await page.goto("/security/second-factor");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByLabel("Code").fill(recoveryCode);
  await page.getByRole("button", { name: "Turn off" }).click();
  await expect(page.getByRole("button", { name: "Set up second factor" })).toBeVisible();
});

test("the security page holds on a narrow screen and for every reader", async ({ page }) => {
  await signUp(page, "/security");
  await expect(page.getByRole("heading", { name: "Sessions" })).toBeVisible();
  await expectGoodLooks(page);
  await page.goto("/security/second-factor");
  await expectGoodLooks(page);
});

test("a password can be changed by a person who knows it, and reset by a link that is valid once", async ({
  page,
}) => {
  const { email } = await signUp(page, "/security");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByRole("heading", { name: "Change password" })).toBeVisible();
  await expectGoodLooks(page);
  await page.getByLabel("Current password").fill("not the password");
  await page.getByLabel("New password").fill("password1234");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("The password is wrong.")).toBeVisible();
  await page.getByLabel("Current password").fill(PASSWORD);
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("It is among the first that are tried")).toBeVisible();
  await page.getByLabel("New password").fill("seven quiet otters");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page).toHaveURL("/security");

  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  await expect(page.getByText("This installation sends no mail.")).toBeVisible();
  await expectGoodLooks(page);
  const { pathname } = new URL(runAccountCommand("reset-password", "--email", email).link);
  await page.goto(pathname);
  await expect(page.getByText(`For ${email}.`)).toBeVisible();
  await expectGoodLooks(page);
  await page.getByLabel("New password").fill("eight quiet otters");
  await page.getByRole("button", { name: "Save password" }).click();
  await expect(page.getByText("Your password is changed")).toBeVisible();
  await page.goto(pathname);
  await expect(page.getByRole("heading", { name: "This link is over" })).toBeVisible();
  await page.goto("/sign-in");
  await signIn(page, email, "eight quiet otters");
  await expect(page).toHaveURL("/");
});

test("an operator sees the installation, and nobody else does", async ({ page }) => {
  const { email } = await signUp(page, "/installation");
  await expect(page.getByRole("heading", { name: "Not found" })).toBeVisible();
  expect(runAccountCommand("add-operator", "--email", email)).toEqual({ email, isOperator: true });
  await page.goto("/");
  await page.getByRole("button", { name: /^Account:/ }).click();
  await page.getByRole("menuitem", { name: "Installation" }).click();
  await expect(page).toHaveURL("/installation");
  await expect(
    page.getByRole("table", { name: "Components" }).getByText("database", { exact: true }),
  ).toBeVisible();
  await expect(page.getByText("Runs that a worker may take")).toBeVisible();
  const costly = page.getByRole("table", { name: "Costly statements" }).getByRole("row");
  await expect(costly).toHaveCount(21);
  await expectGoodLooks(page);
});
