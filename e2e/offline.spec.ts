import { expect, type Page, type Route, test } from "@playwright/test";
import { createKey } from "./keys.ts";
import { expectGoodLooks } from "./looks.ts";
import { signUp } from "./people.ts";
import { act, exported, linesOf } from "./tables.ts";

const notice = (page: Page, text: string) => page.getByRole("status").filter({ hasText: text });
const form = (page: Page) => page.getByRole("dialog", { name: "New project" });
const projects = (page: Page) => page.getByRole("table", { name: "Projects" }).locator("[data-row]");

/** Opens the form. The page's scripts for offline times have loaded once it listens for changes. */
async function openForm(page: Page) {
  const listens = page.waitForRequest(/me\.changes/, { timeout: 120_000 });
  await signUp(page, "/projects/new");
  await listens;
  await form(page).getByLabel("Name").fill("Made offline");
}

test("offline, typed text stays, and a sent form is submitted once the network is back", async ({
  page,
  context,
}) => {
  await openForm(page);
  await context.setOffline(true);
  await expect(notice(page, "You are offline.")).toBeVisible();
  await expectGoodLooks(page);
  // Neither a link nor the keyboard leaves a page with typed text.
  await form(page).getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("This page stays open until the server can be reached again.")).toBeVisible();
  await expect(form(page).getByLabel("Name")).toHaveValue("Made offline");
  await form(page).getByRole("button", { name: "Create project" }).click();
  await expect(page).toHaveURL("/projects/new");

  await context.setOffline(false);
  await expect(page.getByRole("heading", { name: "Made offline" })).toBeVisible();
  await expect(notice(page, "You are offline.")).toHaveCount(0);
  await page.goto("/projects");
  await expect(projects(page)).toHaveText(["Made offline"]);
});

test("on a slow connection that breaks while a form is sent, typed text stays, and the form is saved once", async ({
  page,
  context,
}) => {
  await openForm(page);
  const network = await context.newCDPSession(page);
  const line = (offline: boolean, latency = 400, bytes = 50_000) =>
    network.send("Network.emulateNetworkConditions", {
      offline,
      latency,
      downloadThroughput: bytes,
      uploadThroughput: bytes,
    });
  await line(false);
  const name = form(page).getByLabel("Name");
  const create = form(page).getByRole("button", { name: "Create project" });
  // The script that validates the form is loaded over the network, too, when the form is sent for the first time.
  await name.fill("");
  await create.click();
  await expect(name).toHaveAttribute("aria-invalid", "true");
  await name.pressSequentially("Made offline, slowly");
  await expect(name).toHaveValue("Made offline, slowly");
  // The connection breaks after the server has saved the project, and before its response arrives.
  const cut = Promise.withResolvers<void>();
  await page.route(
    /projects\.create/,
    async (route) => {
      await route.fetch();
      await cut.promise;
      await route.abort("internetdisconnected");
    },
    { times: 1 },
  );
  const sent = page.waitForRequest(/projects\.create/);
  await create.click();
  await sent;
  await line(true);
  await expect(notice(page, "You are offline.")).toBeVisible();
  await expect(name).toHaveValue("Made offline, slowly");
  cut.resolve();
  await line(false);
  await expect(page.getByRole("heading", { name: "Made offline, slowly" })).toBeVisible();
  await line(false, 0, -1);
  await page.goto("/projects");
  await expect(projects(page)).toHaveText(["Made offline, slowly"]);
});

test("while the server is down, the console says so, keeps the page, and continues without a reload", async ({
  page,
}) => {
  await openForm(page);
  const server = /\/(api\/trpc|health)\//;
  await page.route(server, (route) => route.abort("connectionrefused"));
  await form(page).getByRole("button", { name: "Create project" }).click();
  await expect(notice(page, "The server can’t be reached.")).toBeVisible();
  await form(page).getByRole("button", { name: "Cancel" }).click();
  await expect(form(page).getByLabel("Name")).toHaveValue("Made offline");
  await page.unroute(server);
  await expect(page.getByRole("heading", { name: "Made offline" })).toBeVisible();
  await expect(notice(page, "The server can’t be reached.")).toHaveCount(0);
  await page.goto("/projects");
  await expect(projects(page)).toHaveText(["Made offline"]);
});

test("an action whose response was lost takes effect once", async ({ page }) => {
  await openForm(page);
  let lost = 0;
  await page.route(/projects\.create/, async (route) => {
    if (lost++ > 1) return route.continue();
    await route.fetch();
    await route.abort("connectionreset");
  });
  await form(page).getByRole("button", { name: "Create project" }).click();
  await expect(page.getByRole("heading", { name: "Made offline" })).toBeVisible();
  expect(lost).toBe(3);
  await page.goto("/projects");
  await expect(projects(page)).toHaveText(["Made offline"]);
});

test("a list that changes while the page is offline is up to date once the network is back", async ({
  page,
  context,
}) => {
  const listens = page.waitForRequest(/me\.changes/, { timeout: 120_000 });
  await signUp(page, "/api-keys");
  await listens;
  await createKey(page, { label: "Before", scopes: ["projects:read"] });
  await expect(page.getByRole("link", { name: "Before" })).toBeVisible();
  await context.setOffline(true);
  await expect(notice(page, "You are offline.")).toBeVisible();
  await page.getByRole("link", { name: "Before" }).click();
  await expect(page.getByText("This page stays open until the server can be reached again.")).toBeVisible();
  await expect(page).toHaveURL("/api-keys");
  // The test's own calls do not go through the page.
  await createKey(page, { label: "Meanwhile", scopes: ["projects:read"] });
  await context.setOffline(false);
  await expect(page.getByRole("link", { name: "Meanwhile" })).toBeVisible();
});

/** Opens a list of 25 projects whose export reads ten rows at a time; `onLater` gets the export's later pages. */
async function openLongList(page: Page, onLater: (nth: number, route: Route, url: string) => Promise<void>) {
  const listens = page.waitForRequest(/me\.changes/, { timeout: 120_000 });
  await signUp(page, "/projects");
  await listens;
  for (let nth = 1; nth <= 25; nth++) await act(page, "projects.create", { name: `Shop ${nth}` });
  await expect(projects(page)).toHaveCount(25);
  let later = 0;
  await page.route(/projects\.list.*%22limit%22%3A100/, async (route) => {
    const url = route.request().url().replace("limit%22%3A100", "limit%22%3A10");
    if (url.includes("cursor")) await onLater(++later, route, url);
    else await route.continue({ url });
  });
}

test("an export whose network is cut between its pages waits for it, and its file is whole", async ({
  page,
  context,
}) => {
  await openLongList(page, async (nth, route, url) => {
    if (nth > 1) return route.continue({ url });
    await context.setOffline(true);
    await route.abort("internetdisconnected");
  });
  const lines = exported(page);
  await expect(notice(page, "You are offline.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Exporting 10 rows" })).toBeVisible();
  await context.setOffline(false);
  const names = (await lines).slice(1).map((line) => line.slice(0, line.indexOf(",")));
  expect(names).toEqual(Array.from({ length: 25 }, (_, nth) => `Shop ${25 - nth}`));
  await expect(page.getByRole("button", { name: "Export as CSV" })).toBeVisible();
});

test("an export that fails for good keeps the rows before, in a file that is called incomplete", async ({
  page,
}) => {
  await openLongList(page, (nth, route, url) =>
    nth === 1 ? route.continue({ url }) : route.abort("connectionreset"),
  );
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export as CSV" }).click();
  const file = await download;
  await expect(
    notice(
      page,
      "Only the first 20 rows are exported, to projects-incomplete.csv. The server did not answer.",
    ),
  ).toBeVisible();
  expect(file.suggestedFilename()).toBe("projects-incomplete.csv");
  expect(await linesOf(file)).toHaveLength(21);
  await expectGoodLooks(page);
});

test("an error that only the server finds names the field by its label", async ({ page }) => {
  await signUp(page);
  await page.route(/projects\.create/, async (route) => {
    await route.continue({ postData: JSON.stringify({ name: "n".repeat(10_000) }) });
  });
  await page.goto("/projects/new");
  await form(page).getByLabel("Name").fill("Shop");
  await form(page).getByRole("button", { name: "Create project" }).click();
  await expect(form(page).getByRole("alert")).toContainText(/Name: At most \d+ characters\./);
  await expect(form(page).getByRole("alert")).not.toContainText("body.name");
  await expect(form(page).getByLabel("Name")).toBeFocused();
});

test("a list that could not be read is read again, and typed text stays", async ({ page }) => {
  await signUp(page, "/projects");
  const search = page.getByRole("searchbox", { name: "Search" });
  const reads = /projects\.list/;
  await page.route(reads, (route) => route.abort());
  await search.fill("shop");
  const failure = page.getByRole("alert").filter({ hasText: "The projects could not be loaded." });
  await expect(failure).toContainText("The server did not answer.", { timeout: 60_000 });
  await expectGoodLooks(page);
  await page.unroute(reads);
  await failure.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("Nothing matches these filters.")).toBeVisible();
  await expect(failure).toHaveCount(0);
  await expect(search).toHaveValue("shop");
});
