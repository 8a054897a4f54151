import { expect, type Page, test } from "@playwright/test";
import { mutate } from "./console-calls.ts";
import { callApi, createKey } from "./keys.ts";
import { expectGoodLooks } from "./looks.ts";
import { awaitScripts, signUp } from "./people.ts";

const connectionOf = (label: string) => ({
  label,
  provider: "Shipping",
  authType: "bearer",
  secret: "s3cret-of-it",
  allowedHosts: ["api.example.com"],
});

/** Creates an account with two projects, each with a connection named after it. */
async function haveTwoProjects(page: Page, names = ["Web shop", "Back office"]) {
  const ids: string[] = [];
  for (const name of names) {
    const { project } = await mutate(page, "projects.create", { name });
    await mutate(page, "connections.create", connectionOf(`For ${name}`), project.id);
    ids.push(project.id);
  }
  return ids;
}

const switcher = (page: Page, name: string) => page.getByRole("button", { name: `Project: ${name}` });
const choices = (page: Page) => page.getByRole("dialog", { name: "Choose a project" }).getByRole("option");
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

  await awaitScripts(page);
  await switcher(page, "All projects").focus();
  await page.keyboard.press("Enter");
  await page.getByRole("combobox", { name: "Find a project" }).fill("shop");
  await expect(choices(page)).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/connections?projectId=${shop}`);
  await expect(row(page, "For Web shop")).toBeVisible();
  await expect(row(page, "For Back office")).toHaveCount(0);

  const other = await context.newPage();
  await other.goto("/connections");
  await choose(other, "All projects", "Back office");
  await expect(row(other, "For Back office")).toBeVisible();

  // Everything below stays in the project: the navigation, the forms, and the resources they create.
  await page.getByRole("link", { name: "API keys" }).first().click();
  await expect(page).toHaveURL(`/api-keys?projectId=${shop}`);
  await page.getByRole("button", { name: "New key" }).click();
  await expect(page.getByText("the project that you are in")).toBeVisible();
  await page.getByLabel("Label").fill("Till");
  await page.getByRole("button", { name: "Read-only" }).click();
  await page.getByRole("button", { name: "Create key" }).click();
  await page.getByRole("button", { name: "I have stored it" }).click();
  await expect(page).toHaveURL(new RegExp(`/api-keys/key_\\w+\\?projectId=${shop}$`));
  // The two keys belong together for a second only.
  await expect(async () => {
    await page.keyboard.press("g");
    await page.keyboard.press("w");
    await expect(page).toHaveURL(`/wallets?projectId=${shop}`, { timeout: 5_000 });
  }).toPass();
  await page.getByRole("button", { name: "New wallet" }).click();
  await page.getByLabel("Label").fill("Petty cash");
  await page.getByRole("button", { name: "Create wallet" }).click();
  await expect(page.getByRole("heading", { name: "Petty cash" })).toBeVisible();
  await page.reload();
  await expect(switcher(page, "Web shop")).toBeVisible();
  await expectGoodLooks(page);

  // The other tab is unchanged, and shows nothing of this project.
  await expect(switcher(other, "Back office")).toBeVisible();
  await other.getByRole("link", { name: "API keys" }).first().click();
  await expect(other).toHaveURL(`/api-keys?projectId=${office}`);
  await expect(other.getByText("No key is bound to this project")).toBeVisible();
  await other.getByRole("link", { name: "Wallets" }).first().click();
  await expect(other.getByText("No wallets yet")).toBeVisible();

  // A resource of one project has no page in another, so its list is shown instead.
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

test("a project's page shows its usage, runs and resources at a glance, and links to all of them", async ({
  page,
}) => {
  test.slow();
  await signUp(page);
  const { project } = await mutate(page, "projects.create", { name: "Web shop" });
  const start = (operationId: string, input: object) =>
    mutate(page, "runs.create", { serviceId: "managed-workflows", operationId, input }, project.id);
  const missing = {
    type: "invoke",
    serviceId: "managed-memory",
    operationId: "get",
    input: { name: "none" },
  };
  await start("execute", { workflow: { name: "Nightly", steps: [{ id: "find", ...missing }] }, input: {} });
  await mutate(page, "wallets.create", { label: "Till" }, project.id);
  await mutate(page, "wallets.create", { label: "Elsewhere" });
  const { secret } = await createKey(page, { label: "Backend", scopes: ["services:invoke"] });
  const put = { operationId: "put", input: { content: "Tea, not coffee." } };
  const within = { "x-service-project": project.id };
  await callApi(page.request, secret, "POST", "/services/managed-memory/invoke", put, within);

  await page.goto(`/projects/${project.id}`);
  const table = (name: string) => page.getByRole("table", { name, exact: true });
  await expect(table("Failed runs").getByRole("row", { name: /Nightly/ })).toContainText("Failed");
  await expect(table("Wallets")).toContainText("Till");
  await expect(table("Wallets")).not.toContainText("Elsewhere");
  await expect(table("Spending").getByRole("row", { name: /managed-memory/ })).toContainText("100 %");
  await expect(page.getByText("How did requests end, each day?")).toBeVisible();
  await expectGoodLooks(page);

  await page.getByRole("link", { name: "All wallets" }).click();
  await expect(page).toHaveURL(`/wallets?projectId=${project.id}`);
  await expect(switcher(page, "Web shop")).toBeVisible();
  await expect(row(page, "Till")).toBeVisible();
  await expect(row(page, "Elsewhere")).toHaveCount(0);
  await page.goBack();
  await page.getByRole("link", { name: "All failures" }).click();
  await expect(page.getByLabel("Only failures")).toBeChecked();
  await expect(row(page, "Nightly")).toBeVisible();
  await page.getByRole("link", { name: "Audit" }).first().click();
  await expect(page.getByRole("table").getByText("services.invoke").first()).toBeVisible();
  await page.getByRole("link", { name: "Credits" }).first().click();
  await expect(page.getByText("All projects use them up together.")).toBeVisible();
  await expectGoodLooks(page);
});

test("an archived project can be looked at, and a project that is missing says so", async ({ page }) => {
  test.slow();
  await signUp(page);
  const [shop] = await haveTwoProjects(page);
  await mutate(page, "wallets.create", { label: "Till" }, shop);
  await page.goto(`/wallets?projectId=${shop}`);
  await expect(page.getByRole("button", { name: "New wallet" })).toBeVisible();
  await mutate(page, "projects.archive", { projectId: shop });
  // A page that was open when the project was archived is updated.
  await expect(page.getByText("is archived: its contents can be read")).toBeVisible();
  await page.reload();
  await expect(row(page, "Till")).toBeVisible();
  await expect(page.getByRole("button", { name: "New wallet" })).toHaveCount(0);
  await switcher(page, "Web shop").click();
  const archived = page.getByRole("group", { name: "Archived" });
  await expect(archived.getByRole("option", { name: "Web shop" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(switcher(page, "Web shop")).toBeFocused();
  await expectGoodLooks(page);

  await page.goto("/wallets?projectId=proj_01jzzzzzzzzzzzzzzzzzzzzzzz");
  await expect(page.getByText("There is no such project in this account.")).toBeVisible();
  await expectGoodLooks(page);
  await page.getByRole("link", { name: "Look in all projects" }).click();
  await expect(row(page, "Till")).toBeVisible();
});

test("names of any kind are shown as they are, and any of many projects is found", async ({ page }) => {
  test.slow();
  await signUp(page, "/projects/new");
  const form = page.getByRole("dialog", { name: "New project" });
  for (const refused of ["x".repeat(10_000), "gnp.\u202Eexe"]) {
    await form.getByLabel("Name").fill(refused);
    await form.getByRole("button", { name: "Create project" }).click();
    await expect(form.getByLabel("Name")).toHaveAttribute("aria-invalid", "true");
  }
  const named = "<img src=x onerror=alert(1)> שלום ";
  const name = named + "w".repeat(200 - named.length);
  const odd = (await mutate(page, "projects.create", { name })).project.id;
  await mutate(page, "projects.create", { name: "The oldest branch" });
  await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      mutate(page, "projects.create", { name: `Branch ${index + 100}` }),
    ),
  );
  await page.setViewportSize({ width: 320, height: 800 });
  await page.goto("/runs");
  await switcher(page, "All projects").click();
  await expect(page.getByText("There are more: type a part of a name.")).toBeVisible();
  await expect(page.getByRole("option", { name: "The oldest branch" })).toHaveCount(0);
  await page.getByRole("combobox", { name: "Find a project" }).fill("dest br");
  await expect(choices(page)).toHaveText([/^The oldest branch/]);
  await page.getByRole("combobox", { name: "Find a project" }).fill("onerror");
  await page.getByRole("option", { name }).click();
  await expect(page).toHaveURL(`/runs?projectId=${odd}`);
  await expect(switcher(page, name)).toBeVisible();
  await expectGoodLooks(page);
  await mutate(page, "projects.archive", { projectId: odd });
  await page.goto(`/projects/${odd}?projectId=${odd}`);
  await expect(page.getByRole("status").getByText(name)).toBeVisible();
  await switcher(page, name).click();
  await expect(page.getByRole("option", { name })).toBeVisible();
  await expectGoodLooks(page);
});
