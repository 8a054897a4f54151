import { expect, type Page, test } from "@playwright/test";
import { mutate, read } from "./console-calls.ts";
import { newAct } from "./keys.ts";
import { overflowOf } from "./looks.ts";
import { pageRoutes } from "./page-routes.ts";
import { signUp } from "./people.ts";

/** The longest name, without a place to break, that would change the page's title if it were interpreted. */
const MARKUP = `<img src=x onerror="document.title='bent'">`;
const NAME = MARKUP + "W".repeat(200 - MARKUP.length);
const DESCRIPTION = MARKUP + "W".repeat(2000 - MARKUP.length);

test("pages show the longest names, made of markup, as text within a narrow window", async ({ page }) => {
  test.slow();
  await signUp(page, "/");
  const { origin } = new URL(page.url());
  const mutate = async (name: string, data: object) => {
    const headers = { origin, "idempotency-key": newAct() };
    const answer = await page.request.post(`/api/trpc/${name}`, { headers, data });
    expect(answer.status(), await answer.text()).toBe(200);
    return (await answer.json()).result.data;
  };
  const { project } = await mutate("projects.create", { name: NAME, description: DESCRIPTION });
  const { apiKey } = await mutate("apiKeys.create", {
    label: NAME,
    scopes: ["projects:read"],
    projectId: project.id,
    endUser: NAME,
  });
  const { wallet } = await mutate("wallets.create", { label: NAME, endUser: NAME });
  const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
  const { contact } = await mutate("wallets.contacts.create", { name: NAME, address, note: NAME });
  const { webhook } = await mutate("webhooks.create", {
    url: `http://127.0.0.1:9/${"w".repeat(1900)}`,
    description: DESCRIPTION,
    events: ["*"],
  });
  const { connection } = await mutate("connections.create", {
    label: NAME,
    provider: NAME,
    authType: "bearer",
    secret: "of-the-outside-system",
    allowedHosts: ["api.example.com"],
  });
  const { approval } = await mutate("approvals.create", {
    serviceId: "managed-memory",
    operationId: "delete",
    input: { name: NAME },
    reason: DESCRIPTION,
  });
  const steps = [{ id: "pause", type: "wait", seconds: 0 }];
  const { run } = await mutate("runs.create", {
    serviceId: "managed-workflows",
    operationId: "execute",
    input: { workflow: { name: NAME, steps } },
    tags: ["W".repeat(64)],
  });
  await mutate("account.update", { name: NAME });

  await page.setViewportSize({ width: 320, height: 800 });
  for (const [path, shown] of [
    ["/", MARKUP],
    ["/projects", MARKUP],
    [`/projects/${project.id}`, MARKUP],
    ["/api-keys", MARKUP],
    [`/api-keys/${apiKey.id}`, MARKUP],
    ["/wallets", MARKUP],
    [`/wallets/${wallet.id}`, MARKUP],
    ["/wallets/contacts", MARKUP],
    [`/wallets/contacts/${contact.id}`, MARKUP],
    ["/webhooks", "wwwwwwww"],
    [`/webhooks/${webhook.id}`, MARKUP],
    ["/connections", MARKUP],
    [`/connections/${connection.id}`, MARKUP],
    // Its summary quotes the name.
    ["/approvals", "<img src=x onerror="],
    [`/approvals/${approval.id}`, "<img src=x onerror="],
    ["/runs", MARKUP],
    [`/runs/${run.id}`, MARKUP],
  ] as const) {
    await page.goto(path);
    // Under an open panel, the page has no role.
    await expect(page.locator("main"), path).toContainText(shown);
    expect.soft(await overflowOf(page), path).toBeLessThanOrEqual(0);
    await expect.soft(page, path).not.toHaveTitle("bent");
    await expect.soft(page.locator('img[src="x"]'), path).toHaveCount(0);
  }
});

/** Right-to-left letters, an invisible mark, one that reverses the text after it, and no place to break. */
const TURNED = `\u05d0\u05d1\u05d2\u200f\u202e${MARKUP}`;
const TURNED_NAME = TURNED + "W".repeat(200 - TURNED.length);
const TURNED_TEXT = TURNED + "W".repeat(10_000 - TURNED.length);
/** Where labels refuse the mark that turns. */
const HEBREW_NAME = TURNED_NAME.replace("\u202e", "");

/** Creates resources of all kinds with these names and texts; returns their ids by the parameters of pages' routes. */
async function createAll(page: Page): Promise<Record<string, string>> {
  const invoke = async (serviceId: string, operationId: string, input: object) =>
    (await mutate(page, "services.invoke", { serviceId, operationId, input })).result;
  const { project } = await mutate(page, "projects.create", {
    name: HEBREW_NAME,
    description: HEBREW_NAME.repeat(10),
  });
  const { apiKey } = await mutate(page, "apiKeys.create", {
    label: HEBREW_NAME,
    scopes: ["projects:read"],
    endUser: TURNED_NAME,
  });
  const { wallet } = await mutate(page, "wallets.create", { label: HEBREW_NAME, endUser: TURNED_NAME });
  const { contact } = await mutate(page, "wallets.contacts.create", {
    name: HEBREW_NAME,
    address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
    note: HEBREW_NAME,
  });
  const { webhook } = await mutate(page, "webhooks.create", {
    url: `http://127.0.0.1:9/${"w".repeat(1900)}`,
    description: HEBREW_NAME.repeat(10),
    events: ["*"],
  });
  const { connection } = await mutate(page, "connections.create", {
    label: HEBREW_NAME,
    provider: HEBREW_NAME,
    authType: "bearer",
    secret: "of-the-outside-system",
    allowedHosts: ["api.example.com"],
  });
  const { memory } = await invoke("managed-memory", "put", {
    name: TURNED_NAME,
    content: TURNED_TEXT,
    tags: [TURNED_TEXT.slice(0, 100)],
    metadata: { [TURNED_NAME]: TURNED_TEXT },
  });
  const steps = [{ id: "pause", type: "wait", seconds: 0 }];
  const workflow = { name: HEBREW_NAME, steps };
  const { run: started } = await mutate(page, "runs.create", {
    serviceId: "managed-workflows",
    operationId: "execute",
    input: { workflow },
  });
  const { approval } = await mutate(page, "approvals.create", {
    serviceId: "managed-memory",
    operationId: "delete",
    input: { name: TURNED_NAME },
    reason: HEBREW_NAME.repeat(10),
  });
  await mutate(page, "account.update", { name: HEBREW_NAME });
  const { endUsers } = await read(page, "endUsers.list");
  const { members } = await read(page, "members.list");
  const { auditEvents } = await read(page, "auditEvents.list");
  return {
    projectId: project.id,
    id: apiKey.id,
    walletId: wallet.id,
    contactId: contact.id,
    webhookId: webhook.id,
    connectionId: connection.id,
    memoryId: memory.id,
    approvalId: approval.id,
    endUserId: endUsers[0].id,
    memberId: members[0].id,
    eventId: auditEvents[0].id,
    runId: started.id,
    serviceId: "managed-memory",
    operationId: "put",
  };
}

test("no page is widened, turned or changed by names and texts of any length and direction", async ({
  page,
}) => {
  test.slow();
  await signUp(page);
  const ids = await createAll(page);
  const paths = pageRoutes.flatMap((route) => {
    const path = route.replace(/\[(\w+)\]/g, (parameter, name: string) => ids[name] ?? parameter);
    // A test of agents needs a model.
    return path.includes("[") || route.startsWith("/agents/[") ? [] : [path];
  });
  expect(paths.length).toBeGreaterThan(85);
  await page.setViewportSize({ width: 320, height: 800 });
  for (const path of paths) {
    await page.goto(path);
    await expect(page.locator("h1").first(), path).toBeAttached();
    expect.soft(await overflowOf(page), path).toBeLessThanOrEqual(0);
    // Names show it by its code; the text of a memory is a paragraph of its own, shown as it is.
    const text = (await page.locator("main").allTextContents()).join("").replaceAll(TURNED_TEXT, "");
    expect.soft(text.match(/.{0,60}[\u200f\u202e]/), path).toBeNull();
    await expect.soft(page, path).not.toHaveTitle(/\u202e|bent/);
    await expect.soft(page.locator('img[src="x"]'), path).toHaveCount(0);
  }
});
