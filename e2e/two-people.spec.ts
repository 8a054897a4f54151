import { expect, test } from "@playwright/test";
import { mutate, read } from "./console-calls.ts";
import { signUp } from "./people.ts";

test("changes of different fields of a connection or webhook are both kept", async ({ page }) => {
  await signUp(page);
  const allowedHosts = ["api.example.com"];
  const { connection } = await mutate(page, "connections.create", {
    label: "Orders",
    provider: "orders",
    authType: "bearer",
    secret: "typed-only-once",
    allowedHosts,
  });
  const { webhook } = await mutate(page, "webhooks.create", { url: "https://example.com/", events: ["*"] });
  const expiresAt = "2099-01-31T12:00:30.500Z";

  await page.goto(`/connections/${connection.id}`);
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("Label").fill("Orders, renamed");
  await mutate(page, "connections.update", { connectionId: connection.id, expiresAt });
  await page.getByRole("button", { name: "Save connection" }).click();
  await expect(page.getByRole("heading", { name: "Orders, renamed" })).toBeVisible();
  const saved = await read(page, "connections.read", { connectionId: connection.id });
  expect(saved.connection).toMatchObject({ label: "Orders, renamed", allowedHosts, expiresAt });

  await page.goto(`/webhooks/${webhook.id}`);
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("Description").fill("Renamed");
  await mutate(page, "webhooks.update", { webhookId: webhook.id, events: ["run.*"] });
  await page.getByRole("button", { name: "Save webhook" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  const kept = await read(page, "webhooks.read", { webhookId: webhook.id });
  expect(kept.webhook).toMatchObject({ description: "Renamed", events: ["run.*"] });
});

test("a change of a trigger that somebody else has changed is refused, and stays typed", async ({ page }) => {
  await signUp(page);
  const invoke = (operationId: string, input: object) =>
    mutate(page, "services.invoke", { serviceId: "managed-triggers", operationId, input });
  const start = { serviceId: "managed-memory", operationId: "put", input: { content: "A note." } };
  const on = { everySeconds: 3600 };
  const { trigger } = (await invoke("put", { name: "hourly", on, start })).result;

  await page.goto(`/triggers/${trigger.id}`);
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("Priority").fill("3");
  await invoke("pause", { name: "hourly" });
  await page.getByRole("button", { name: "Save trigger" }).click();
  const editor = page.getByRole("dialog", { name: "Edit “hourly”" });
  await expect(editor).toContainText('There is a trigger "hourly", last changed at');
  await expect(editor.getByLabel("Priority")).toHaveValue("3");

  await page.goto("/triggers/new");
  await page.getByLabel("Name").fill("hourly");
  await page.getByLabel("Starts").selectOption({ label: "Another operation" });
  await page.getByLabel("Input").fill('{ "content": "Another note." }');
  await page.getByRole("button", { name: "Create trigger" }).click();
  await expect(page.getByRole("dialog")).toContainText('There is a trigger "hourly", last changed at');
});
