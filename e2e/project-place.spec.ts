import { expect, type Page, test } from "@playwright/test";
import { newAct } from "./keys.ts";
import { expectGoodLooks } from "./looks.ts";
import { signUp } from "./people.ts";

/** Calls an operation of the console as the signed-in person. */
async function act(page: Page, operation: string, data: object, projectId?: string) {
  const headers = {
    origin: new URL(page.url()).origin,
    "idempotency-key": newAct(),
    ...(projectId && { "x-service-project": projectId }),
  };
  const answer = await page.request.post(`/api/trpc/${operation}`, { headers, data });
  expect(answer.status(), await answer.text()).toBe(200);
  return (await answer.json()).result.data;
}

const connectionOf = (label: string) => ({
  label,
  provider: "Shipping",
  authType: "bearer",
  secret: "s3cret-of-it",
  allowedHosts: ["api.example.com"],
});

/** An account with two projects, in each a connection that is called after it. */
async function haveTwoProjects(page: Page, names = ["Web shop", "Back office"]) {
  const ids: string[] = [];
  for (const name of names) {
    const { project } = await act(page, "projects.create", { name });
    await act(page, "connections.create", connectionOf(`For ${name}`), project.id);
    ids.push(project.id);
  }
  return ids;
}

const switcher = (page: Page, name: string) => page.getByRole("button", { name: `Project: ${name}` });
const row = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });

async function choose(page: Page, from: string, to: string) {
  await switcher(page, from).click();
  await page.getByRole("option", { name: to }).click();
  await expect(switcher(page, to)).toBeVisible();
}

test("a chosen project is all that one sees and works in, and another tab keeps its own", async ({
  page,
  context,
}) => {
  test.slow();
  await signUp(page, "/connections");
  const [shop, office] = await haveTwoProjects(page);
  await page.reload();
  await expect(row(page, "For Web shop")).toBeVisible();
  await expect(row(page, "For Back office")).toBeVisible();

  await switcher(page, "All projects").focus();
  await page.keyboard.press("Enter");
  await page.getByRole("combobox", { name: "Find a project" }).fill("shop");
  await expect(page.getByRole("option")).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/connections?projectId=${shop}`);
  await expect(row(page, "For Web shop")).toBeVisible();
  await expect(row(page, "For Back office")).toHaveCount(0);

  const other = await context.newPage();
  await other.goto("/connections");
  await choose(other, "All projects", "Back office");
  await expect(row(other, "For Back office")).toBeVisible();

  // Everything below stays in the project: the navigation, forms, and what they make.
  await page.getByRole("link", { name: "API keys" }).first().click();
  await expect(page).toHaveURL(`/api-keys?projectId=${shop}`);
  await page.getByRole("button", { name: "New key" }).click();
  await expect(page.getByText("the project that you are in")).toBeVisible();
  await page.getByLabel("Label").fill("Till");
  await page.getByRole("button", { name: "Read-only" }).click();
  await page.getByRole("button", { name: "Create key" }).click();
  await page.getByRole("button", { name: "I have stored it" }).click();
  await expect(page).toHaveURL(new RegExp(`/api-keys/key_\\w+\\?projectId=${shop}$`));
  await page.keyboard.press("g");
  await page.keyboard.press("w");
  await expect(page).toHaveURL(`/wallets?projectId=${shop}`);
  await page.getByRole("button", { name: "New wallet" }).click();
  await page.getByLabel("Label").fill("Petty cash");
  await page.getByRole("button", { name: "Create wallet" }).click();
  await expect(page.getByRole("heading", { name: "Petty cash" })).toBeVisible();
  await page.reload();
  await expect(switcher(page, "Web shop")).toBeVisible();
  await expectGoodLooks(page);

  // The other tab was not disturbed, and has nothing of this one.
  await expect(switcher(other, "Back office")).toBeVisible();
  await other.getByRole("link", { name: "API keys" }).first().click();
  await expect(other).toHaveURL(`/api-keys?projectId=${office}`);
  await expect(other.getByText("No key is bound to this project")).toBeVisible();
  await other.getByRole("link", { name: "Wallets" }).first().click();
  await expect(other.getByText("No wallets yet")).toBeVisible();

  // A thing of one project has no page in another, and its list stands in for it.
  const wallet = new URL(page.url()).pathname;
  await other.goto(`${wallet}?projectId=${office}`);
  await expect(other.getByText("There is nothing at this address in this project.")).toBeVisible();
  await other.getByRole("link", { name: "Look in all projects" }).click();
  await expect(other.getByRole("heading", { name: "Petty cash" })).toBeVisible();
  await expect(switcher(other, "All projects")).toBeVisible();
  await choose(page, "Web shop", "Back office");
  await expect(page).toHaveURL(`/wallets?projectId=${office}`);
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Petty cash" })).toBeVisible();
  await choose(page, "Web shop", "All projects");
  await expect(page).toHaveURL(wallet);
});
