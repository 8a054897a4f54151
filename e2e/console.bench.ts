import { writeFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { defined } from "../server/base/defined.ts";
import { toUuid } from "../server/base/ids.ts";
import { addManyResources } from "../server/testing/many-resources.ts";
import { mutate, read } from "./console-calls.ts";
import { callApi, createKey } from "./keys.ts";
import { signUp } from "./people.ts";
import { openPlatform } from "./platform-database.ts";
import { goTo, TOURS } from "./tours.ts";

// Measures the console in a browser beside the production build; writes milliseconds by name to the file `BENCH_REPORT`.
const TOURS_TAKEN = 25;
const PAGES_SHOWN = 8;
const FRAMES = 300;
const WORDS = [
  "sho",
  "dep",
  "inv",
  "use",
  "777",
  "ord",
  "abo",
  "key",
  "res",
  "123",
  "bac",
  "tea",
  "4ab",
  "zzz",
];

const times: Record<string, number[]> = {};
test.afterAll(() => writeFileSync(defined(process.env.BENCH_REPORT), JSON.stringify(times)));

test("from a click on a link to the rows of its list", async ({ page }) => {
  await signUp(page, "/security");
  const { secret } = await createKey(page, { label: "Backend", scopes: ["projects:read"] });
  await mutate(page, "projects.create", { name: "Shop" });
  await callApi(page.request, secret, "GET", "/projects");
  const taken: number[] = [];
  for (let tour = 0; tour < TOURS_TAKEN; tour++)
    for (const place of TOURS) {
      taken.push(await goTo(page, place));
      await page.waitForTimeout(150);
    }
  // The first tour loads the pages' scripts.
  times.navigation = taken.slice(TOURS.length);
});

test("from the third letter in the palette to its results, among 100,000 of each kind", async ({ page }) => {
  await signUp(page, "/");
  const { project } = await mutate(page, "projects.create", { name: "Shop" });
  const { accountId } = await read(page, "me.read");
  await createKey(page, { label: "Backend", scopes: ["projects:read"] });
  const sql = openPlatform();
  await addManyResources(sql, {
    account: toUuid("account", accountId),
    project: toUuid("project", project.id),
  });
  await sql.end();
  await page.goto("/projects");
  const input = page.getByRole("dialog", { name: "Command palette" }).getByRole("combobox");
  times.palette = [];
  for (const word of WORDS) {
    await expect(async () => {
      await page.keyboard.press("Control+k");
      await expect(input).toBeVisible({ timeout: 2_000 });
    }).toPass();
    await page.keyboard.type(word.slice(0, -1));
    // The results of the first two letters are there.
    await page.waitForTimeout(1_000);
    const answer = page.waitForResponse((response) =>
      decodeURIComponent(response.url()).includes(`"${word}"`),
    );
    const began = performance.now();
    await page.keyboard.type(word.slice(-1));
    await (await answer).finished();
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    );
    times.palette.push(performance.now() - began);
    await page.keyboard.press("Escape");
    await expect(input).toBeHidden();
  }
});

test("from the request of a run's page to the first of its 1,000 steps, and frames while they scroll", async ({
  page,
}) => {
  await signUp(page);
  const items = Array.from({ length: 1000 }, (_, nth) => nth);
  const pause = { id: "pause", type: "wait", seconds: 0 };
  const steps = [{ id: "each", type: "map", items, concurrency: 20, steps: [pause] }];
  const { run } = await mutate(page, "runs.create", {
    serviceId: "managed-workflows",
    operationId: "execute",
    input: { workflow: { name: "Long way", steps } },
  });
  const status = async () => (await read(page, "runs.read", { runId: run.id })).run.status;
  await expect.poll(status, { timeout: 120_000 }).toBe("succeeded");
  times.run = [];
  for (let shown = 0; shown < PAGES_SHOWN; shown++) {
    await page.goto("about:blank");
    await page.goto(`/runs/${run.id}`, { waitUntil: "commit" });
    const ms = await page.evaluate(async () => {
      while (!document.querySelector("[role=treeitem]")) await new Promise((again) => setTimeout(again, 2));
      return performance.now();
    });
    times.run.push(ms);
  }
  await page.waitForTimeout(2_000);
  times.frames = await page.getByRole("tree").evaluate(async (box, count) => {
    const frames: number[] = [];
    for (let last = performance.now(); frames.length < count; ) {
      box.scrollTop = box.scrollTop + box.clientHeight < box.scrollHeight - 5 ? box.scrollTop + 160 : 0;
      await new Promise(requestAnimationFrame);
      const now = performance.now();
      frames.push(now - last);
      last = now;
    }
    return frames;
  }, FRAMES);
});
