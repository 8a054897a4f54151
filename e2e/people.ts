import { expect, type Page } from "@playwright/test";

export const PASSWORD = "correct horse battery";

let people = 0;
/** An address that nobody else in this run has. */
export const newEmail = () => `ada-${process.pid}-${++people}@example.test`;

/** Signs a new person up, which signs in too, and goes on to a page. */
export async function signUp(page: Page, next = "/security") {
  const email = newEmail();
  await page.goto(`/sign-up?next=${encodeURIComponent(next)}`);
  await page.getByLabel("Name").fill("Ada Lovelace");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign up" }).click();
  await expect(page).toHaveURL(next);
  return { email };
}

/** Fills in the sign-in page that is open. */
export async function signIn(page: Page, email: string, password = PASSWORD) {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}
