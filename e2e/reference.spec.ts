import { expect, test } from "@playwright/test";
import { expectGoodLooks } from "./looks.ts";

test("a reader chooses the language of all samples once, and copies a sample", async ({ page }) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await page.goto("/docs/projects.create");
  await expect(page.getByText("curl -X POST")).toBeVisible();
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "TypeScript" }).click();
  await expect(page.getByText("curl -X POST")).toBeHidden();
  await expect(page.getByRole("button", { name: "TypeScript" })).toBeFocused();
  await page.getByRole("button", { name: "Copy" }).first().click();
  await expect.poll(copied).toContain("await platform.projects.create({");
  await page.goto("/docs/idempotency");
  await expect(page.getByText("second.replayed")).toBeVisible();
  await expect(page.getByText("ORDER=")).toBeHidden();
  // A guide without Python examples shows those it has.
  await page.goto("/docs/projects.list");
  await page.getByRole("button", { name: "Python" }).click();
  await page.goto("/docs/idempotency");
  await expect(page.getByText("ORDER=")).toBeVisible();
});

test("search engines and agents find the reference, and no page of the console", async ({ page }) => {
  await page.goto("/docs");
  // From the page itself, as a browser's audits read them.
  const read = (path: string) => page.evaluate(async (path) => (await fetch(path)).text(), path);
  expect((await read("/robots.txt")).trim().split("\n")).toEqual([
    "User-Agent: *",
    "Allow: /docs",
    "Allow: /llms.txt",
    "Allow: /openapi.json",
    "Disallow: /",
  ]);
  expect(await read("/llms.txt")).toMatch(/^# .+\n/);
});

test("the pages of clients have this installation's own address, ready to copy", async ({
  page,
  baseURL,
}) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  for (const client of ["claude", "cursor"]) {
    await page.goto(`/docs/connect-${client}`);
    await expectGoodLooks(page);
    const configuration = page.locator("figure", { hasText: '"mcpServers"' }).first();
    await configuration.getByRole("button", { name: "Copy" }).click();
    await expect(configuration.getByRole("button", { name: "Copied" })).toBeVisible();
    const { mcpServers } = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
    expect(mcpServers.platform.url).toBe(`${baseURL}/mcp`);
  }
  await page.goto("/docs/agent-from-nothing");
  await expect(page.getByText(`node agent.ts ${baseURL}`).first()).toBeVisible();
  await expectGoodLooks(page);
});
