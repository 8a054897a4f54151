import { expect, test } from "@playwright/test";
import { newAct } from "./keys.ts";
import { overflowOf } from "./looks.ts";
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
    await expect(page.getByRole("main"), path).toContainText(shown);
    expect.soft(await overflowOf(page), path).toBeLessThanOrEqual(0);
    await expect.soft(page, path).not.toHaveTitle("bent");
    await expect.soft(page.locator('img[src="x"]'), path).toHaveCount(0);
  }
});
