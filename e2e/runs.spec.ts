import { expect, type Page, test } from "@playwright/test";
import { floodChanges } from "./changes-flood.ts";
import { mutate } from "./console-calls.ts";
import { expectGoodLooks } from "./looks.ts";
import { awaitScripts, signUp } from "./people.ts";

const tree = (page: Page) => page.getByRole("tree", { name: "Steps" });
const step = (page: Page, name: string | RegExp) => page.getByRole("treeitem", { name });

async function startWorkflow(
  page: Page,
  name: string,
  steps: object[],
  input: unknown = {},
): Promise<string> {
  const body = {
    serviceId: "managed-workflows",
    operationId: "execute",
    input: { workflow: { name, steps }, input },
  };
  return (await mutate(page, "runs.create", body)).run.id;
}

const memory = (id: string, operationId: string, input: object) => ({
  id,
  type: "invoke",
  serviceId: "managed-memory",
  operationId,
  input,
});

test("a person sees which run failed, why, and in which project, and retries it", async ({ page }) => {
  await signUp(page);
  const steps = [
    memory("keep", "put", { content: "Tea" }),
    {
      id: "group",
      type: "map",
      items: [1, 2],
      concurrency: 1,
      steps: [memory("find", "get", { name: "lost" })],
    },
  ];
  const run = await startWorkflow(page, "Look for what is lost", steps);
  await page.goto("/runs");
  const row = page.getByRole("row", { name: /Look for what is lost/ });
  await expect(row).toContainText("Failed", { timeout: 90_000 });
  await expect(row).toContainText(/find: .*lost/);
  await row.getByRole("link").click();
  await expect(page).toHaveURL(`/runs/${run}`);

  // The failed step is selected, and its error is shown once.
  await expect(step(page, /failed find/)).toHaveAttribute("aria-selected", "true");
  await expect(page.getByText("not_found")).toHaveCount(1);
  await expect(page.getByRole("list", { name: "Log of the step" })).toContainText("The step has failed.");
  await expect(page.getByRole("link", { name: "Open its call" })).toBeVisible();
  await expectGoodLooks(page);

  await tree(page).press("Home");
  await expect(page).toHaveURL(/step=steps\.keep/);
  await expect(page.getByRole("region", { name: "Output" })).toContainText('"content": "Tea"');
  await expect(page.getByRole("region", { name: "Definition" })).toContainText("managed-memory");
  await tree(page).press("ArrowDown");
  await tree(page).press("ArrowLeft");
  await expect(step(page, /find/)).toHaveCount(0);
  await tree(page).press("ArrowRight");
  await expect(step(page, /find/)).toHaveCount(1);

  await tree(page).press("End");
  await page.getByRole("button", { name: "Retry from here" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Retry" }).click();
  await expect(page).not.toHaveURL(new RegExp(run));
  await page.getByRole("link", { name: /^run_/ }).first().click();
  await expect(page).toHaveURL(`/runs/${run}`);
  await expect(page.getByText("Retried by")).toBeVisible();

  await page.goto("/runs");
  await expect(page.getByText(/^The newest 2: /)).toBeVisible();
  await page.getByLabel("Search").fill("nothing like it");
  await expect(page.getByText("Nothing matches these filters.")).toBeVisible();
  await page.getByLabel("Search").fill("LOST");
  await expect(page.getByRole("row", { name: /Look for what is lost/ })).toHaveCount(2);
  await expectGoodLooks(page);
});

test("a run of a thousand steps is followed without jumps, and leads to the runs that it made", async ({
  page,
}) => {
  await signUp(page);
  const items = Array.from({ length: 1000 }, (_, nth) => nth);
  const child = { serviceId: "managed-memory", operationId: "put", input: { content: "Made by a step" } };
  const steps = [
    { id: "make", type: "operation", operation: "runs.create", body: child },
    { id: "each", type: "map", items, concurrency: 5, steps: [{ id: "pause", type: "wait", seconds: 0 }] },
  ];
  const run = await startWorkflow(page, "Long way", steps);
  const began = Date.now();
  let reads = 0;
  page.on("request", (request) => {
    if (request.url().includes("runs.read")) reads++;
  });
  await page.goto(`/runs/${run}`);
  await expect(step(page, /item 30\b/)).toBeAttached({ timeout: 120_000 });
  await tree(page).evaluate((box) => {
    box.scrollTop = 320;
  });
  const first = () =>
    tree(page).evaluate((box) => {
      const top = box.getBoundingClientRect().top;
      const lines = [...box.querySelectorAll("[role=treeitem]")];
      const seen = lines.find((line) => line.getBoundingClientRect().top >= top);
      return `${seen?.textContent?.replace(/\d+(\.\d+)? \w+$/, "")} ${Math.round((seen?.getBoundingClientRect().top ?? 0) - top)}`;
    });
  const before = await first();
  await expect(page.getByText("The run has succeeded.")).toBeVisible({ timeout: 120_000 });
  expect((await first()).replace(/^[a-z]+ ?/, "")).toBe(before.replace(/^[a-z]+ ?/, ""));
  // However quickly the steps change, the page reads the run at most four times a second.
  expect(reads).toBeLessThan((Date.now() - began) / 250 + 3);

  // The document itself contains the first lines, and scrolling draws each of the others once.
  const document = await (await page.request.get(`/runs/${run}`)).text();
  expect(document.match(/role="treeitem"/g)?.length).toBeGreaterThan(20);
  const drawn = await tree(page).evaluate(async (box) => {
    const frame = () => new Promise(requestAnimationFrame);
    // React gives an element new props each time that it renders it.
    const propsOf = (line: Element) =>
      Object.entries(line).find(([name]) => name.startsWith("__reactProps"))?.[1];
    box.scrollTop = 0;
    await frame();
    await frame();
    let [added, most, again] = [0, 0, 0];
    let before = new Map<Element, unknown>();
    const observer = new MutationObserver((records) => {
      for (const { addedNodes } of records) added += addedNodes.length;
    });
    observer.observe(box, { childList: true, subtree: true });
    for (let top = 0; top < box.scrollHeight; top += 160) {
      box.scrollTop = top;
      await frame();
      await frame();
      const lines = [...box.querySelectorAll("[role=treeitem]")];
      most = Math.max(most, lines.length);
      again += lines.filter((line) => before.has(line) && before.get(line) !== propsOf(line)).length;
      before = new Map(lines.map((line) => [line, propsOf(line)]));
    }
    observer.disconnect();
    return { added, most, again };
  });
  expect(drawn.most).toBeLessThan(100);
  expect(drawn.added).toBeLessThan(1_100);
  expect(drawn.again).toBeLessThan(300);

  await tree(page).press("Home");
  await tree(page).press("End");
  await expect(step(page, /item 1000/)).toHaveAttribute("aria-selected", "true");
  await expectGoodLooks(page);
  await tree(page).press("Home");
  await tree(page).press("ArrowDown");
  await expect(step(page, /managed-memory put/)).toHaveAttribute("aria-selected", "true");
  await page.getByRole("link", { name: /^run_/ }).first().click();
  await expect(page.getByText("Created by")).toBeVisible();
});

test("a run that a step made opens in place, with its steps, their times and credits", async ({ page }) => {
  await signUp(page);
  const leaf = { serviceId: "managed-memory", operationId: "put", input: { content: "Leaf" } };
  const inner = [
    memory("letter", "put", { content: "Dear Ada" }),
    { id: "plant", type: "operation", operation: "runs.create", body: leaf },
  ];
  const child = {
    serviceId: "managed-workflows",
    operationId: "execute",
    input: { workflow: { name: "Write a letter", steps: inner }, input: {} },
  };
  const steps = [{ id: "make", type: "operation", operation: "runs.create", body: child }];
  const run = await startWorkflow(page, "Begin letters", steps);
  let reads = 0;
  page.on("request", (request) => {
    if (request.url().includes("runs.read")) reads++;
  });
  await page.goto(`/runs/${run}`);
  const line = step(page, /Write a letter/);
  await expect(line).toHaveAttribute("aria-expanded", "false", { timeout: 90_000 });
  await expect(line).toContainText("succeeded", { timeout: 90_000 });
  await expect(line).toHaveAttribute("aria-level", "2");
  await expect(line).toContainText(/[1-9]\d* credits?/);
  await expect(step(page, "letter")).toHaveCount(1);

  // Its steps are loaded when it is opened, which the keyboard does as well.
  await expect(page.getByText("The run has succeeded.")).toBeVisible({ timeout: 90_000 });
  reads = 0;
  await awaitScripts(page);
  await tree(page).press("End");
  await tree(page).press("ArrowRight");
  await expect(line).toHaveAttribute("aria-expanded", "true");
  const letter = step(page, /letter.* credits?/).and(page.locator("[aria-level='3']"));
  await expect(letter).toBeVisible();
  expect(reads).toBeGreaterThan(0);
  await tree(page).press("ArrowRight");
  await expect(letter).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("region", { name: "Output" })).toContainText("Dear Ada");
  await expect(page.getByRole("region", { name: "Definition" })).toContainText("managed-memory");
  await expectGoodLooks(page);

  // Both are drawn to one scale: the child's step lies within its run, and that begins after the step that made it.
  const bars = await tree(page).evaluate((box) =>
    [...box.querySelectorAll("[role=treeitem]")].map((line) => {
      const { left, right } = (line.querySelector("span.bg-accent") as Element).getBoundingClientRect();
      return [line.getAttribute("aria-level"), Math.round(left), Math.round(right)] as const;
    }),
  );
  const at = (level: string) => bars.find(([of]) => of === level) as readonly [string, number, number];
  expect(at("2")[1]).toBeGreaterThanOrEqual(at("1")[1]);
  expect(at("3")[1]).toBeGreaterThanOrEqual(at("2")[1]);
  expect(at("3")[2]).toBeLessThanOrEqual(at("2")[2] + 3);

  // The address opens the child again, and its own child opens inside it.
  await page.reload();
  await expect(letter).toHaveAttribute("aria-selected", "true");
  await tree(page).press("End");
  await expect(step(page, /managed-memory put/)).toHaveAttribute("aria-selected", "true");
  await tree(page).press("ArrowRight");
  await expect(step(page, /invoke/)).toHaveAttribute("aria-level", "5");
  await tree(page).press("Home");
  await tree(page).press("ArrowDown");
  await tree(page).press("ArrowLeft");
  await expect(line).toHaveAttribute("aria-expanded", "false");
  await expect(letter).toHaveCount(0);
});

test("the list of runs stays usable and gets up to date while a thousand changes a second arrive", async ({
  page,
}) => {
  await signUp(page);
  for (const name of ["Restock", "Report"])
    await startWorkflow(page, name, [memory("find", "get", { name })]);
  const flood = await floodChanges(page, "runs");
  await page.goto("/runs");
  const row = (name: string) => page.getByRole("row", { name: new RegExp(name) });
  await expect(row("Restock")).toContainText("Failed", { timeout: 90_000 });
  await expect.poll(flood.sent).toBeGreaterThan(1_000);

  const search = page.getByLabel("Search");
  await search.pressSequentially("restock");
  await expect(row("Report")).toHaveCount(0);
  await startWorkflow(page, "Restock again", [memory("keep", "put", { content: "Tea" })]);
  await expect(row("Restock again")).toContainText("Succeeded", { timeout: 90_000 });
  await expect(search).toHaveValue("restock");
  await expect.poll(flood.sent).toBeGreaterThan(4_000);
  expect(flood.reads()).toBeLessThan(flood.mostReads());
  await row("Restock again").getByRole("link").first().click();
  await expect(page.getByRole("tree", { name: "Steps" })).toBeVisible();
  await flood.stop();
});

test("many failed runs are retried at once, with a result for each", async ({ page }) => {
  await signUp(page);
  for (const name of ["First", "Second"]) await startWorkflow(page, name, [memory("find", "get", { name })]);
  await page.goto("/runs");
  await expect(page.getByText("The newest 2: 2 failed.")).toBeVisible({ timeout: 90_000 });
  const calls: string[] = [];
  page.on("request", (request) => request.method() === "POST" && calls.push(new URL(request.url()).pathname));
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Retry several" }).click();
  await page.getByRole("button", { name: "Retry 2 runs" }).click();
  await expect(page.getByText("Queued anew: 2 of 2 runs.")).toBeVisible();
  expect(calls.filter((path) => path.startsWith("/api/trpc/runs."))).toEqual(["/api/trpc/runs.bulk"]);
  await expect(page.getByRole("link", { name: "Open the new run" })).toHaveCount(2);
  await expectGoodLooks(page);
});

test("a person forgets an ended run's data, and sees the rest", async ({ page }) => {
  await signUp(page);
  const run = await startWorkflow(page, "Keep a letter", [memory("keep", "put", { content: "Dear Ada" })]);
  await page.goto(`/runs/${run}`);
  await page.getByRole("button", { name: "Forget run" }).click({ timeout: 90_000 });
  const dialog = page.getByRole("alertdialog", { name: "Forget Keep a letter?" });
  await expect(dialog).toContainText("are deleted for good");
  await dialog.getByRole("button", { name: "Forget run" }).click();
  await expect(page.getByText(/^Forgotten .*: its input/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Forget run" })).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Run again" })).toHaveCount(0);
  await expect(page.getByText("Dear Ada")).toHaveCount(0);
  await expectGoodLooks(page);
});
