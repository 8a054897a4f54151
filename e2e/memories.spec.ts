import { expect, type Page, test } from "@playwright/test";
import { mutate } from "./console-calls.ts";
import { callApi, createKey } from "./keys.ts";
import { expectGoodLooks, overflowOf } from "./looks.ts";
import { signUp } from "./people.ts";
import { exported, namesOf } from "./tables.ts";

/** Stores a memory as the signed-in person; returns its id. */
async function put(page: Page, input: object, projectId?: string): Promise<string> {
  const call = { serviceId: "managed-memory", operationId: "put", input };
  return (await mutate(page, "services.invoke", call, projectId)).result.memory.id;
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

test("a person stores a memory, finds it, replaces it, and deletes it after an approval", async ({
  page,
}) => {
  test.slow();
  await signUp(page, "/memories");
  await expect(page.getByRole("heading", { name: "No memories yet" })).toBeVisible();
  await expectGoodLooks(page);
  await button(page, "New memory").click();
  const form = page.getByRole("dialog", { name: "New memory" });
  await button(page, "Store memory").click();
  await expect(form.getByText("Send at least one character.")).toBeVisible();
  await form.getByLabel("Name").fill("Opening hours");
  await form.getByLabel("Content").fill("Nine to five");
  await form.getByLabel("Tags").fill("shop\nhours");
  await button(page, "Add metadata").click();
  await form.getByLabel("Metadata: key 1").fill("source");
  await form.getByLabel("Metadata: value 1").fill("Ada");
  await expectGoodLooks(page);
  await button(page, "Store memory").click();
  await expect(page.getByText("Memory stored.")).toBeVisible();
  await put(page, { content: "Tea, no sugar", tags: ["tea"] });

  await expect.poll(() => namesOf(page)).toEqual(["Without a name", "Opening hours"]);
  await expect(page.getByRole("row", { name: /Opening hours/ })).toContainText("Nine to five");
  await expectGoodLooks(page);
  await page.getByRole("searchbox", { name: "Tag" }).fill("tea");
  await expect.poll(() => namesOf(page)).toEqual(["Without a name"]);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.getByRole("searchbox", { name: "Search" }).fill("hours");
  await expect.poll(() => namesOf(page)).toEqual(["Opening hours"]);
  const [head, ...rows] = await exported(page);
  expect(head).toBe("Name,Beginning,Tags,Project,End user,Size,Changed,Created,Id");
  expect(rows).toEqual([expect.stringMatching(/^Opening hours,Nine to five,"shop, hours",,,12,/)]);

  await page.getByRole("link", { name: "Opening hours" }).click();
  await expect(page.getByRole("region", { name: "text" })).toHaveText("Nine to five");
  await expect(page.getByRole("region", { name: "JSON" })).toContainText('"source": "Ada"');
  await expect(page).toHaveTitle(/Memory/);
  await expectGoodLooks(page);
  await button(page, "Edit").click();
  const edit = page.getByRole("dialog", { name: "Edit Opening hours" });
  await expect(edit.getByLabel("Tags")).toHaveValue("shop\nhours");
  await edit.getByLabel("Content").fill("Ten to six");
  await expectGoodLooks(page);
  await button(page, "Save memory").click();
  await expect(page.getByText("Memory saved.")).toBeVisible();
  await expect(page.getByRole("region", { name: "text" })).toHaveText("Ten to six");
  await expect(page.getByText("shop", { exact: true })).toBeVisible();
  await expect(page.getByRole("region", { name: "JSON" })).toContainText('"source": "Ada"');

  await button(page, "Delete").click();
  const dialog = page.getByRole("alertdialog", { name: "Delete “Opening hours”?" });
  await expect(dialog).toContainText("Nothing is deleted until");
  await expectGoodLooks(page);
  await dialog.getByRole("button", { name: "Ask for approval" }).click();
  await expect(page).toHaveURL(/\/services\/managed-memory\/delete\?approvalId=appr_/);
  await page.getByRole("link", { name: "Open the approval" }).click();
  await button(page, "Approve").click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Approve", exact: true }).click();
  await page.getByRole("dialog", { name: "Approval" }).getByRole("link", { name: "here" }).click();
  await button(page, "Invoke").click();
  await expect(page.getByText("Ten to six")).toBeVisible();
  await page.goto("/memories");
  await expect.poll(() => namesOf(page)).toEqual(["Without a name"]);
  await page.getByRole("link", { name: "Without a name" }).click();
  await expect(page.getByText("it stays as it is until it is deleted")).toBeVisible();
  await expect(button(page, "Edit")).toHaveCount(0);
});

test("a memory is changed in its own project, and one of an end user by calls for them only", async ({
  page,
}) => {
  await signUp(page, "/memories");
  const { project } = await mutate(page, "projects.create", { name: "Shop" });
  const inProject = await put(page, { name: "Hours", content: "Nine" }, project.id);
  const ofNobody = await put(page, { name: "Hours", content: "Never" });
  const { secret } = await createKey(page, { label: "Backend", scopes: ["services:invoke"] });
  const theirs = { operationId: "put", input: { name: "Tea", content: "Earl Grey" } };
  const headers = { "x-service-end-user": "customer-81" };
  await callApi(page.request, secret, "POST", "/services/managed-memory/invoke", theirs, headers);

  await page.goto(`/memories/${inProject}/edit`);
  await page.getByLabel("Content").fill("Ten");
  await button(page, "Save memory").click();
  await expect(page.getByRole("region", { name: "text" })).toHaveText("Ten");
  await expect(page.getByRole("main").getByRole("link", { name: "Shop" })).toBeVisible();
  await page.goto(`/memories/${ofNobody}`);
  await expect(page.getByRole("region", { name: "text" })).toHaveText("Never");
  await page.goto(`/memories?projectId=${project.id}`);
  await expect.poll(() => namesOf(page)).toEqual(["Hours"]);
  // The project's deletion is asked for, and carried out, in the project.
  await page.goto(`/memories/${inProject}`);
  await button(page, "Delete").click();
  await button(page, "Ask for approval").click();
  await expect(page).toHaveURL(new RegExp(`/delete\\?approvalId=appr_.*projectId=${project.id}$`));
  await expect(page.getByText("It waits for a decision.")).toBeVisible();
  await page.goto("/approvals");
  await page.getByRole("link", { name: /^Delete the memory/ }).click();
  await button(page, "Approve").click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Approve", exact: true }).click();
  await page.getByRole("dialog", { name: "Approval" }).getByRole("link", { name: "here" }).click();
  await button(page, "Invoke").click();
  await expect(page.getByText("Answered with 200")).toBeVisible();

  await page.goto("/memories?endUser=customer-81");
  await expect.poll(() => namesOf(page)).toEqual(["Tea"]);
  await page.getByRole("link", { name: "Tea" }).click();
  await expect(page.getByText("It belongs to an end user")).toBeVisible();
  for (const name of ["Edit", "Delete"]) await expect(button(page, name)).toHaveCount(0);
  await page.getByRole("main").getByRole("link", { name: "customer-81" }).click();
  await expect(page).toHaveURL(/\/end-users\/eusr_/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("customer-81");
});

test("⌘K leads to a memory, whose hostile name and long content are shown as text", async ({ page }) => {
  await signUp(page, "/memories");
  const markup = `<img src=x onerror="document.title='bent'">`;
  const name = `${markup}\u202egnp${"W".repeat(140)}`;
  const content = `${markup}\u202e${"W".repeat(10_000)} the end`;
  const id = await put(page, {
    name,
    content,
    tags: ["W".repeat(100), "\u202egat"],
    metadata: { [markup]: name },
  });
  await page.goto("/");
  const palette = page.getByRole("dialog", { name: "Command palette" });
  await expect(async () => {
    await page.keyboard.press("Control+k");
    await expect(palette).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await palette.getByRole("combobox").fill(id.slice(-8));
  await expect(palette.getByRole("option", { name: /Memory$/ })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/memories/${id}`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("‹U+202E›gnp");
  await expect(page.getByRole("region", { name: "text" })).toContainText("the end");
  await expectGoodLooks(page);
  for (const path of ["/memories", `/memories/${id}`, `/memories/${id}/edit`]) {
    await page.goto(path);
    await page.setViewportSize({ width: 320, height: 800 });
    await expect(page.locator("main"), path).toContainText(markup);
    expect(await overflowOf(page), path).toBeLessThanOrEqual(0);
    await expect(page).not.toHaveTitle("bent");
    await expect(page.locator('img[src="x"]')).toHaveCount(0);
  }
  await expect(page.getByLabel("Content")).toHaveValue(content);
  await page.goto("/memories/mem_01jz4w1n9vf5ha3kqcx8y2r7te");
  await expect(page.getByRole("heading", { name: "Not found" })).toBeVisible();
});

test("editing a memory leaves a tag of two lines whole", async ({ page }) => {
  await signUp(page, "/memories");
  const id = await put(page, { name: "Hours", content: "Nine", tags: ["two\nlines", '"quoted"'] });
  await page.goto(`/memories/${id}/edit`);
  const edit = page.getByRole("dialog", { name: "Edit Hours" });
  await expect(edit.getByLabel("Tags")).toHaveValue('"two\\nlines"\n"quoted"');
  await expect(edit.getByText("In quotes, \\n is a line break.")).toBeVisible();
  await expectGoodLooks(page);
  await edit.getByLabel("Tags").press("Control+End");
  await edit.getByLabel("Tags").pressSequentially("\nnew");
  await button(page, "Save memory").click();
  await expect(page.getByText("Memory saved.")).toBeVisible();
  const input = encodeURIComponent(JSON.stringify({ memoryId: id }));
  const answer = await page.request.get(`/api/trpc/memories.read?input=${input}`);
  expect((await answer.json()).result.data.memory.tags).toEqual(["two\nlines", '"quoted"', "new"]);
});

test("a memory of an archived project is shown without the buttons that would change it", async ({
  page,
}) => {
  await signUp(page, "/memories");
  const { project } = await mutate(page, "projects.create", { name: "Shop" });
  const id = await put(page, { name: "Hours", content: "Nine" }, project.id);
  await put(page, { name: "Of the account", content: "Tea" });
  await mutate(page, "projects.archive", { projectId: project.id });
  await page.goto("/memories");
  await expect.poll(() => namesOf(page)).toEqual(["Of the account", "Hours"]);
  await expect(page.getByRole("row", { name: /Of the account/ }).getByRole("button")).toHaveCount(1);
  await expect(page.getByRole("row", { name: /Hours/ }).getByRole("button")).toHaveCount(0);
  await page.goto(`/memories/${id}`);
  await expect(page.getByText("Its project is archived")).toBeVisible();
  await expect(button(page, "Edit")).toHaveCount(0);
  await expect(button(page, "Delete")).toHaveCount(0);
  await expectGoodLooks(page);
});

test("a person asks to delete several memories at once, and each request waits for a decision", async ({
  page,
}) => {
  await signUp(page);
  await put(page, { name: "One", content: "First" });
  await put(page, { name: "Two", content: "Second" });
  await put(page, { name: "Three", content: "Third" });
  await page.goto("/memories");
  for (const name of ["One", "Two"]) await page.getByRole("checkbox", { name: `Choose ${name}` }).check();
  await button(page, "Ask to delete 2 memories").click();
  const dialog = page.getByRole("dialog", { name: "Ask to delete 2 memories?" });
  await expect(dialog.getByRole("listitem")).toHaveText([/One.*First/, /Two.*Second/]);
  await expectGoodLooks(page);
  await dialog.getByRole("button", { name: "Ask to delete", exact: true }).click();
  await expect(dialog).toContainText("Done: 2 of 2.");
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await expect.poll(async () => (await namesOf(page)).toSorted()).toEqual(["One", "Three", "Two"]);
  await page.goto("/approvals");
  const requests = page.getByRole("table", { name: "Approvals" });
  await expect(requests).toContainText('Delete the memory "One" for good');
  await expect(requests).toContainText('Delete the memory "Two" for good');
  await expect(requests).not.toContainText("Three");
});
