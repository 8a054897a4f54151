import { expect, type Page, test } from "@playwright/test";
import { newAct } from "./keys.ts";
import { pageRoutes } from "./page-routes.ts";
import { awaitScripts, signUp } from "./people.ts";

/** The sum of layout shifts up to which Lighthouse and browsers call a page stable. */
const STABLE = 0.1;

/** The score of a shift within a field. */
const UNSEEN = 0.001;

/** An element that moved, and where it was and is now. */
type Shift = { score: number; moved: string[] };

/** Has each document that the page opens from now on record its layout shifts. */
async function recordShifts(page: Page) {
  await page.addInitScript(() => {
    const shifts: Shift[] = [];
    Object.assign(window, { shifts });
    const at = ({ x, y, width, height }: DOMRectReadOnly) => `${[x, y, width, height].map(Math.round)}`;
    type Entry = PerformanceEntry & {
      value: number;
      hadRecentInput: boolean;
      sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
    };
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as Entry[]) {
        const moved = sources.map(
          ({ node, previousRect, currentRect }) =>
            `${node?.nodeName} "${node?.textContent?.slice(0, 40)}" from ${at(previousRect)} to ${at(currentRect)}`,
        );
        if (!hadRecentInput) shifts.push({ score: value, moved });
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
}

test("no page moves while its scripts and late parts arrive", async ({ page }) => {
  test.slow();
  await signUp(page);
  const headers = { origin: new URL(page.url()).origin, "idempotency-key": newAct() };
  const created = await page.request.post("/api/trpc/projects.create", { headers, data: { name: "Shop" } });
  const { project } = (await created.json()).result.data;
  await page.request.post("/api/trpc/projects.archive", {
    headers: { ...headers, "idempotency-key": newAct() },
    data: { projectId: project.id },
  });
  const linked = "endUser=customer-1&from=2027-01-01T00:00:00.000Z&to=2027-02-01T00:00:00.000Z";
  const paths = [
    ...pageRoutes.filter((route) => !route.includes("[")),
    // Filters that links have set.
    `/runs?${linked}`,
    `/approvals?${linked}`,
    "/audit?from=24h",
    // Notices of an archived project.
    `/runs?projectId=${project.id}`,
  ];
  await recordShifts(page);
  // The parts of a page arrive one after the other on a slow machine; the window is Lighthouse's.
  const client = await page.context().newCDPSession(page);
  await client.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  await page.setViewportSize({ width: 1350, height: 940 });
  const unstable: Record<string, Shift[]> = {};
  for (const path of paths) {
    await page.goto(path);
    await awaitScripts(page);
    // The requests that the page's scripts make then.
    await page.waitForTimeout(500);
    const shifts: Shift[] = await page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts);
    if (shifts.reduce((sum, { score }) => sum + score, 0) >= STABLE) unstable[path] = shifts;
  }
  expect(unstable).toEqual({});
});

test("a list does not move when the period that a link has set becomes live", async ({ page }) => {
  await signUp(page);
  const period = "from=2026-01-01T00:00:00.000Z&to=2099-01-01T00:00:00.000Z";
  // A server's first page with a period waits for that part of the server's own code.
  await page.goto(`/runs?${period}`);
  await recordShifts(page);
  for (const path of [`/runs?${period}`, `/api-keys?${period}`, "/trading"]) {
    await page.goto(path, { waitUntil: "commit" });
    const tables = page.getByRole("main").getByRole("table");
    await expect(tables.or(page.getByText("Nothing matches these filters.")).first()).toBeVisible();
    await awaitScripts(page);
    await expect(page.getByRole("combobox", { name: "Time" })).toBeEnabled();
    await page.waitForTimeout(500);
    const shifts: Shift[] = await page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts);
    // Only the dates themselves come with the scripts, since they are in the viewer's time zone.
    expect(
      shifts.filter(({ score }) => score > UNSEEN),
      path,
    ).toEqual([]);
  }
});
