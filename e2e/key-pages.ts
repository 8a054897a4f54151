import { expect, type Page } from "@playwright/test";

/** Deselects the scopes that the form of an account's first key begins with. */
export async function chooseNoScopes(page: Page) {
  await page.getByRole("button", { name: "None", exact: true }).click();
}

/** Fills in the open form of a new key and creates it; returns the shown secret. */
export async function createKey(page: Page, { label, scopes }: { label: string; scopes: string[] }) {
  await page.getByLabel("Label").fill(label);
  for (const scope of scopes) await page.getByRole("checkbox", { name: scope }).check();
  await page.getByRole("button", { name: "Create key" }).click();
  const dialog = page.getByRole("dialog", { name: `The secret of “${label}”` });
  return (await dialog.getByText(/^svc_live_/).textContent()) ?? "";
}

/** Continues from the dialog with the secret. */
export async function storeSecret(page: Page) {
  await page.getByRole("button", { name: "I have stored it" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
}

/** Calls the API like a backend. */
export async function call(path: string, secret: string) {
  const answer = await fetch(`http://localhost:${process.env.E2E_PORT}/v1${path}`, {
    headers: { authorization: `Bearer ${secret}` },
  });
  const body = await answer.json();
  return { status: answer.status, code: body.error?.code };
}
