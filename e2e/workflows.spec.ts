import { expect, type Page, test } from "@playwright/test";
import { mutate } from "./console-calls.ts";
import { expectGoodLooks } from "./looks.ts";
import { awaitScripts, signUp } from "./people.ts";

const log = (page: Page) => page.getByRole("list", { name: "Log" });
const step = (page: Page, name: string | RegExp) => page.getByRole("treeitem", { name });

test("a person writes a workflow, corrects it, executes it and follows it to its end", async ({ page }) => {
  await signUp(page, "/workflows");
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "New workflow" }).click();
  await expect(page).toHaveURL("/workflows/new");
  await expect(page.getByText("Nothing is wrong with it.")).toBeVisible();
  await expect(page.getByRole("region", { name: "Steps of Greet everyone" })).toContainText("letter");
  await expectGoodLooks(page);

  const editor = page.getByLabel("Workflow", { exact: true });
  const lines = async () => (await editor.locator(".cm-line").allTextContents()).join("\n");
  await expect.poll(lines).toContain("steps.keep.memory");
  const written = await lines();
  await editor.fill(written.replace("steps.keep.memory", "steps.kept.memory"));
  await expect(page.getByText('No step "kept" comes before this one.')).toBeVisible();
  await expect(page.getByText("steps.2.steps.0.content")).toBeVisible();
  await expect(page.getByRole("button", { name: "Execute" })).toBeDisabled();
  await expectGoodLooks(page);
  await editor.fill(written.slice(1));
  await expect(page.getByText(/^This is not JSON/)).toBeVisible();
  await editor.fill('{ "name": "Pause", "steps": [{ "type": "wait", }] }');
  await editor.press("End");
  for (let step = 0; step < 5; step++) await editor.press("ArrowLeft");
  const completions = page.locator(".cm-tooltip-autocomplete");
  await expect(async () => {
    await editor.press("Control+Space");
    await expect(completions).toContainText("seconds", { timeout: 500 });
  }).toPass();
  await expect(completions).not.toContainText("serviceId");
  await editor.press("Escape");
  await editor.fill(written);
  await expect(page.getByText("Nothing is wrong with it.")).toBeVisible();

  await page.getByRole("button", { name: "Execute" }).click();
  await expect(page).toHaveURL(/\/runs\/run_/);
  await expect(page.getByRole("heading", { name: "Greet everyone" })).toBeVisible();
  await expect(log(page)).toContainText("The run has succeeded.", { timeout: 90_000 });
  await step(page, /item 2/).click();
  await page.getByRole("tree", { name: "Steps" }).press("ArrowDown");
  await expect(page).toHaveURL(/step=steps\.each/);
  await expect(page.getByText("steps.each[1].letter", { exact: true })).toBeVisible();
  await expect(page.getByRole("region", { name: "Output" })).toContainText("Mary.txt");
  await page.getByRole("button", { name: "Show input" }).click();
  await expect(page.getByRole("region", { name: "Step input" })).toContainText("Mary: Hello, Ada.");
  await expect(page.getByRole("region", { name: "Result" })).toContainText("Charles.txt");
  const artifact = page.getByRole("link", { name: "Mary.txt", exact: true });
  await expect(artifact).toHaveAttribute("href", /^\/artifacts\/art_\w+$/);
  await expectGoodLooks(page);

  await page.getByRole("button", { name: "Run again" }).click();
  await expect(page).toHaveURL(/\/workflows\/new\?from=run_/);
  await expect.poll(lines).toBe(written);
  const tested = page.getByRole("region", { name: "Fields" });
  await page.getByLabel("Step", { exact: true }).selectOption("letter");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await expect(tested).toContainText("Charles: Hello, Ada.");
  await editor.fill(written.replace("Hello, ", "Dear "));
  await expect(page.getByText("The workflow has changed since.")).toBeVisible();
  await page.getByLabel("Step", { exact: true }).selectOption("keep");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await expect(tested).toContainText("Dear Ada.");
  await expectGoodLooks(page);
  await page.goto("/workflows");
  await expect(page.getByRole("row", { name: /Greet everyone/ })).toContainText("Succeeded");

  await page.goto("/artifacts");
  await awaitScripts(page);
  await page.getByRole("link", { name: "Mary.txt" }).click();
  await expect(page.getByRole("dialog", { name: "Mary.txt" })).toBeVisible();
  await expectGoodLooks(page);
});

test("a person sees branches, a loop and the handling of a failure, and follows them", async ({ page }) => {
  await signUp(page, "/workflows/new");
  await expect(page.getByText("Nothing is wrong with it.")).toBeVisible();
  const wait = (id: string) => ({ id, type: "wait", seconds: 0 });
  const find = {
    id: "find",
    type: "invoke",
    serviceId: "managed-memory",
    operationId: "get",
    input: { name: "lost" },
  };
  const undo = {
    id: "undo",
    type: "artifact",
    name: "undo.txt",
    mediaType: "text/plain",
    content: "{% error.code %}",
  };
  const branches = [
    { id: "left", steps: [wait("rest")] },
    { id: "right", steps: [find] },
  ];
  const steps = [
    {
      id: "order",
      type: "try",
      steps: [{ id: "both", type: "parallel", branches }],
      catch: { on: ["not_found"], steps: [undo] },
      finally: [wait("last")],
    },
    { id: "again", type: "while", when: "{% index < 2 %}", maxIterations: 3, steps: [wait("count")] },
  ];
  await page.getByLabel("Workflow", { exact: true }).fill(JSON.stringify({ name: "Order", steps }, null, 2));
  const drawn = page.getByRole("region", { name: "Steps of Order" });
  for (const words of ["left", "right", "catch not_found", "finally", "at most 3 times"])
    await expect(drawn.getByText(words, { exact: true })).toBeVisible();
  await expect(page.getByText("Nothing is wrong with it.")).toBeVisible();
  await expectGoodLooks(page);

  await page.getByRole("button", { name: "Execute" }).click();
  await expect(page).toHaveURL(/\/runs\/run_/);
  await expect(log(page)).toContainText("The run has succeeded.", { timeout: 90_000 });
  await expect(step(page, /succeeded order/)).toBeVisible();
  await expect(step(page, /failed right/)).toBeVisible();
  await expect(step(page, /succeeded finally/)).toBeVisible();
  await expect(step(page, /iteration 2/)).toBeVisible();
  await step(page, /undo/).click();
  await expect(page.getByText("steps.order[catch].undo", { exact: true })).toBeVisible();
  await expect(page.getByRole("region", { name: "Output" })).toContainText("undo.txt");
  await expectGoodLooks(page);
});

test("a person starts a run by its form, and cancels one that waits", async ({ page }) => {
  await signUp(page, "/runs");
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "New run" }).click();
  await page.getByLabel("Operation").selectOption({ label: "managed-memory: Put a memory" });
  await page.getByLabel("content").fill("Tea");
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "Start run" }).click();
  await expect(page).toHaveURL(/\/runs\/run_/);
  await expect(log(page)).toContainText("The run has succeeded.", { timeout: 90_000 });
  await expect(page.getByRole("region", { name: "Result" })).toContainText('"content": "Tea"');
  await page.getByRole("button", { name: "Run again" }).click();
  await expect(page.getByLabel("content")).toHaveValue("Tea");

  await page.goto("/workflows/new");
  await expect(page.getByText("Nothing is wrong with it.")).toBeVisible();
  const steps = [{ id: "pause", type: "wait", seconds: 3600 }];
  await page.getByLabel("Workflow", { exact: true }).fill(JSON.stringify({ name: "Long", steps }));
  await page.getByRole("button", { name: "Execute" }).click();
  await expect(page.getByRole("heading", { name: "Long" })).toBeVisible();
  await expect(step(page, /waiting pause/)).toBeVisible({ timeout: 90_000 });
  await page.getByRole("button", { name: "Cancel run" }).click();
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toContainText("0 steps are done.");
  await dialog.getByRole("button", { name: "Cancel run" }).click();
  await expect(page.getByText("Cancelled").first()).toBeVisible();

  await step(page, /pause/).click();
  await page.getByRole("button", { name: "Retry from here" }).click();
  await expect(page).toHaveURL(/\?retry=steps\.pause$/);
  await expect(page.getByRole("alertdialog")).toContainText("0 steps that were done before are kept");
  await page.getByRole("alertdialog").getByRole("button", { name: "Retry" }).click();
  await expect(log(page)).toContainText("It goes on from steps.pause of run_");
  await expect(step(page, /waiting pause/)).toBeVisible({ timeout: 90_000 });
  await page.getByRole("term").filter({ hasText: "Retry of" }).locator("..").getByRole("link").click();
  await page.getByRole("link", { name: "All retries" }).click();
  await expect(page).toHaveURL(/\/runs\?retryOf=run_/);
  await expect(page.getByRole("row")).toHaveCount(2);
  await page.goto("/runs");
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Cancel several" }).click();
  await expect(page).toHaveURL("/runs/bulk?action=cancel");
  await expect(page.getByRole("list", { name: "Runs that would be hit" }).getByRole("listitem")).toHaveCount(
    1,
  );
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "Cancel 1 run" }).click();
  await expect(page.getByText("Cancelled: 1 of 1 run.")).toBeVisible();

  await page.goto("/runs");
  await page.getByLabel("Status").selectOption("cancelled");
  await expect(page.getByRole("row")).toHaveCount(3);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.getByLabel("Only failures").check();
  await expect(page.getByText("Nothing matches these filters.")).toBeVisible();
});

test("a person stores a workflow, changes it, compares both versions and runs it again with the new one", async ({
  page,
}) => {
  await signUp(page, "/workflows");
  await page.getByRole("navigation", { name: "Workflows" }).getByRole("link", { name: "Stored" }).click();
  await expect(page).toHaveURL("/workflows/stored");
  await expect(page.getByText("No stored workflows yet")).toBeVisible();
  await expectGoodLooks(page);

  await page.getByRole("button", { name: "New workflow" }).click();
  const editor = page.getByLabel("Workflow", { exact: true });
  const steps = [
    { id: "greet", type: "artifact", name: "note.txt", mediaType: "text/plain", content: "Hello" },
  ];
  await expect(page.getByText("Nothing is wrong with it.")).toBeVisible();
  await editor.fill(JSON.stringify({ name: "Restock", steps }));
  await page.getByLabel("Name").fill("restock");
  await page.getByLabel("What this version does").fill("Asks before it orders.");
  await page.getByRole("button", { name: "Store", exact: true }).click();
  await expect(page).toHaveURL(/\/workflows\/stored\/wf_/);
  await expect(page.getByRole("heading", { name: "restock", exact: true })).toBeVisible();
  await expect(page.getByText("It is the only version that is kept.")).toBeVisible();
  const address = page.url();

  await page.goto("/runs/new");
  await page.getByLabel("Operation").selectOption({ label: "managed-workflows: Start a stored workflow" });
  await page.getByLabel("name", { exact: true }).fill("restock");
  await page.getByRole("button", { name: "Start run" }).click();
  await expect(page).toHaveURL(/\/runs\/run_/);
  await expect(log(page)).toContainText("The run has succeeded.", { timeout: 90_000 });
  await expect(page.getByRole("link", { name: "restock, version 1" })).toBeVisible();
  await page.goto("/workflows");
  await page.getByRole("button", { name: "Row actions" }).click();
  await page.getByRole("menuitem", { name: "Run again", exact: true }).click();
  await expect(page).toHaveURL(/\/runs\/new\?from=run_/);
  await expect(page.getByLabel("name", { exact: true })).toHaveValue("restock");

  await page.goto(address);
  await page.getByRole("button", { name: "New version" }).click();
  await expect(page).toHaveURL(/\/workflows\/new\?stored=wf_/);
  await expect(editor).toContainText("Hello");
  const call = { id: "ask", type: "run", name: "another", version: 2 };
  const changed = [{ ...steps[0], content: "Good morning" }];
  await editor.fill(JSON.stringify({ name: "Restock", steps: [...changed, call] }));
  await expect(page.getByRole("region", { name: "Steps of Restock" })).toContainText("another version 2");
  await editor.fill(JSON.stringify({ name: "Restock", steps: changed }));
  await expect(page.getByLabel("What this version does")).toHaveValue("Asks before it orders.");
  await page.getByRole("button", { name: "Store version 2" }).click();
  await expect(page.getByRole("table", { name: "Versions" })).toContainText("Version 2");
  const differences = page.getByRole("table", { name: "Differences" });
  await expect(differences).toContainText("steps.greet.content");
  await expect(differences).toContainText("Good morning");
  await expectGoodLooks(page);

  await page.getByRole("table", { name: "Versions" }).getByRole("link", { name: "Version 1" }).click();
  await expect(page).toHaveURL(/\?version=1$/);
  const runs = page.getByRole("table", { name: "Runs" });
  await expect(runs).toContainText("Succeeded");
  await runs.getByRole("checkbox").last().check();
  await expect(page.getByRole("button", { name: "Forget 1 run" })).toBeEnabled();
  await runs.getByRole("button").last().click();
  await page.getByRole("menuitem", { name: "Run again with version 2" }).click();
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toContainText("all steps of version 2 of restock");
  await dialog.getByRole("button", { name: "Run again" }).click();
  await expect(page).toHaveURL(/\/runs\/run_/);
  await expect(page.getByRole("link", { name: "restock, version 2" })).toBeVisible();
  await expect(log(page)).toContainText("The run has succeeded.", { timeout: 90_000 });

  await page.goto(address);
  await page.getByRole("button", { name: "Archive" }).click();
  await expect(page.getByRole("alertdialog")).toContainText("its runs go on");
  await page.getByRole("alertdialog").getByRole("button", { name: "Archive" }).click();
  await expect(page.getByText("restock is archived.")).toBeVisible();
  await expect(page.getByRole("button", { name: "New version" })).toHaveCount(0);
  await page.getByRole("button", { name: "Restore" }).click();

  // A version that somebody else stores while the editor is open is not replaced unseen, and the typed text stays.
  await page.getByRole("button", { name: "New version" }).click();
  await expect(editor).toContainText("Good morning");
  await editor.fill(JSON.stringify({ name: "Restock", steps: [...changed, { ...steps[0], id: "mine" }] }));
  const refetched = page.waitForResponse(/workflows\.read/);
  const theirs = { name: "restock", workflow: { name: "Restock", steps: [{ ...steps[0], id: "theirs" }] } };
  await mutate(page, "services.invoke", {
    serviceId: "managed-workflows",
    operationId: "put",
    input: theirs,
  });
  await refetched;
  await page.getByRole("button", { name: "Store version 3" }).click();
  await expect(page.getByText('The newest version of "restock" is 3, not 2.')).toBeVisible();
  await expect(editor).toContainText("mine");

  await page.goto("/workflows/stored");
  await expect(page.getByRole("row", { name: /restock/ })).toContainText("3");
  await page.getByRole("button", { name: "Created" }).click();
  await expect(page).toHaveURL("/workflows/stored?sort=createdAt");
  await expectGoodLooks(page);
});
