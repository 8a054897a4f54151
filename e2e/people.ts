import { expect, type Page } from "@playwright/test";

export const PASSWORD = "correct horse battery";

let people = 0;
/** Returns an e-mail address that is unique in this run. */
export const newEmail = () => `ada-${process.pid}-${++people}@example.test`;

/** Signs a new person up and in with the form, and goes to a page. */
export async function signUpByForm(page: Page, next = "/security") {
  await page.goto(`/sign-up?next=${encodeURIComponent(next)}`);
  const email = await fillSignUp(page);
  await expect(page).toHaveURL(next);
  return { email };
}

/** Fills in the open sign-up page as a new person; returns their e-mail address. */
export async function fillSignUp(page: Page): Promise<string> {
  const email = newEmail();
  await page.getByLabel("Name").fill("Ada Lovelace");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign up" }).click();
  return email;
}

/**
 * Opens a page as a new person, signed up and in with the requests that the forms send; with an invitation, as the
 * invited person. By default it is a page without scripts, for tests that go to another one first: a page of the
 * console takes as much processor time as ten clicks.
 */
export async function signUp(
  page: Page,
  next = "/health/live",
  { email = newEmail(), invitation }: { email?: string; invitation?: string } = {},
) {
  const csrf = await page.request.get("/api/auth/csrf");
  const headers = {
    origin: new URL(csrf.url()).origin,
    "idempotency-key": email,
    // A hundred people may sign up from one address, then one a minute; a run of all journeys signs up more.
    "x-forwarded-for": ["10", (process.pid >> 8) & 255, process.pid & 255, people & 255].join("."),
  };
  const name = invitation ? "Grace Hopper" : "Ada Lovelace";
  const data = { name, email, password: PASSWORD, invitation };
  expect((await page.request.post("/api/trpc/signUp", { headers, data })).status()).toBe(200);
  const { csrfToken } = await csrf.json();
  const form = { email, password: PASSWORD, csrfToken, json: "true" };
  await page.request.post("/api/auth/callback/credentials", { headers, form });
  await page.goto(next);
  await expect(page).toHaveURL(next);
  return { email };
}

/** Fills in the open sign-in page. */
export async function signIn(page: Page, email: string, password = PASSWORD) {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Waits until the page's scripts run. Clicks wait by themselves; keys pressed before are lost. */
export async function awaitScripts(page: Page) {
  await expect(page.locator("[data-waiting]")).toHaveCount(0);
}
