import { expect, type Page, test } from "@playwright/test";
import { startModelServer } from "../server/testing/model-server.ts";
import { callApi, createKey } from "./keys.ts";
import { expectGoodLooks } from "./looks.ts";
import { signUp } from "./people.ts";

const PUT = "services.invoke.managed-memory.put";

/** Calls a procedure of the console as the person who is signed in. */
async function act(page: Page, name: string, data: object) {
  const headers = { origin: new URL(page.url()).origin, "idempotency-key": `e2e-${crypto.randomUUID()}` };
  const answer = await page.request.post(`/api/trpc/${name}`, { headers, data });
  expect(answer.status(), await answer.text()).toBe(200);
  return (await answer.json()).result.data;
}

type Script = Parameters<typeof startModelServer>[0];

const keepsTea: Script = (_, nth) =>
  nth === 0
    ? {
        text: "I keep it.",
        toolCalls: [{ name: PUT.replaceAll(".", "_"), arguments: { input: { content: "Tea at four" } } }],
      }
    : { text: "Tea at four is kept." };

/** Starts a model, by default one that stores a memory and then says so, and creates a connection to it. */
async function connectModel(page: Page, script = keepsTea) {
  const model = await startModelServer(script);
  await act(page, "connections.create", {
    label: "Our model",
    provider: "openai",
    authType: "bearer",
    secret: "sk-e2e",
    allowedHosts: [new URL(model.baseUrl).host],
    metadata: { baseUrl: model.baseUrl, model: "small" },
  });
  return model;
}

test("a person gives an agent a task, approves its change, and reads the outcome", async ({ page }) => {
  await signUp(page, "/agents");
  const model = await connectModel(page);
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "New task" }).click();
  await expect(page).toHaveURL("/agents/new");

  await page.getByRole("button", { name: "Start agent" }).click();
  await expect(page.getByText("This field is required.")).toBeVisible();
  await page.getByLabel("Task").fill("Remember tea at four.");
  await page.getByLabel("Tools", { exact: true }).selectOption("Only chosen ones");
  await page.getByLabel("Search tools").fill("memory.put");
  // Enter in a search does not start the agent.
  await page.getByLabel("Search tools").press("Enter");
  await page.getByLabel(PUT).first().check();
  await page.getByLabel("Endpoint").selectOption("Our model");
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "Start agent" }).click();

  await expect(page).toHaveURL(/\/agents\/run_/);
  await expect(page.getByRole("heading", { name: "It waits for you" })).toBeVisible();
  await expectGoodLooks(page);
  const block = (name: string) => page.getByRole("region", { name, exact: true });
  const summary = page.getByText("Arguments and result");
  await expect(block("Arguments of call 1.1")).toHaveCount(0);
  await summary.press("Enter");
  await expect(block("Arguments of call 1.1")).toContainText('"content": "Tea at four"');

  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByRole("link", { name: "Review the requested action" }).click();
  await expect(other).toHaveURL(/\/approvals\/appr_/);
  await expect(other.getByText(/asks for “Managed memory: Put a memory”/).first()).toBeVisible();
  await other.getByRole("button", { name: "Approve", exact: true }).click();
  await other.getByRole("alertdialog").getByRole("button", { name: "Approve", exact: true }).click();
  await expect(other.getByRole("alertdialog")).toBeHidden();
  await other.close();

  // The run ends while its call is open.
  await expect(page.getByRole("heading", { name: "Answer" })).toBeVisible();
  await expect(page.getByText("Tea at four is kept.").first()).toBeVisible();
  await expect(page.getByText("It was done.")).toBeVisible();
  await expect(summary).toBeFocused();
  await expect(block("Result of call 1.1")).toContainText('"memory"');
  await expectGoodLooks(page);
  await page.getByRole("link", { name: "Steps and log" }).click();
  await expect(page).toHaveURL(/\/runs\/run_/);
  await page.goBack();
  await page.getByRole("link", { name: "Agents" }).last().click();
  await expect(page.getByRole("row", { name: /Remember tea at four/ })).toContainText("Succeeded");
  await model.stop();
});

test("a tool call that was not made says why", async ({ page }) => {
  await signUp(page);
  const model = await connectModel(page, (_, nth) =>
    nth === 0
      ? {
          toolCalls: [
            { name: PUT.replaceAll(".", "_"), arguments: { input: { content: 4 } } },
            { name: "launch_rockets", arguments: {} },
          ],
        }
      : { text: "I could not." },
  );
  const { secret } = await createKey(page, {
    label: "Backend",
    scopes: ["services:invoke", "runs:write", "connections:read"],
  });
  const { connections } = (await callApi(page.request, secret, "GET", "/connections")).body;
  const { body } = await callApi(page.request, secret, "POST", "/runs", {
    serviceId: "managed-agents",
    operationId: "respond",
    connectionId: connections[0].id,
    input: { input: "Remember four.", tools: [PUT], approveWrites: false },
  });
  await page.goto(`/agents/${body.run.id}`);
  await expect(page.getByRole("heading", { name: "Answer" })).toBeVisible();
  await page.getByText(`Arguments and result of ${PUT}`).click();
  const result = page.getByRole("region", { name: "Result of call 1.1", exact: true });
  await expect(result).toContainText("invalid_request");
  await expect(result).toContainText("content");
  await page.getByText("Arguments and result of launch_rockets").click();
  await expect(page.getByText("The call was not made: the agent has no tool of this name.")).toBeVisible();
  await expectGoodLooks(page);
  await model.stop();
});

test("a run of the tier strict shows its tool calls, and why their arguments are not kept", async ({
  page,
}) => {
  await signUp(page);
  const model = await connectModel(page);
  const { secret } = await createKey(page, {
    label: "Private",
    scopes: ["services:invoke", "runs:write", "connections:read"],
    privacyTier: "strict",
  });
  const { connections } = (await callApi(page.request, secret, "GET", "/connections")).body;
  const { body } = await callApi(page.request, secret, "POST", "/runs", {
    serviceId: "managed-agents",
    operationId: "respond",
    connectionId: connections[0].id,
    input: { input: "Remember tea at four.", tools: [PUT], approveWrites: false },
  });
  await page.goto(`/agents/${body.run.id}`);
  await expect(page.getByRole("heading", { name: "Answer" })).toBeVisible();
  await page.getByText("Arguments and result").click();
  await expect(page.getByText("The privacy tier of the run keeps neither arguments")).toBeVisible();
  await expectGoodLooks(page);
  await model.stop();
});

test("an agent that waits can be stopped", async ({ page }) => {
  await signUp(page);
  const model = await connectModel(page);
  await page.goto("/agents/new");
  await page.getByLabel("Task").fill("Remember tea at four.");
  await page.getByLabel("Tools", { exact: true }).selectOption("Only chosen ones");
  await page.getByLabel("Search tools").fill("memory.put");
  await page.getByLabel(PUT).first().check();
  await page.getByLabel("Endpoint").selectOption("Our model");
  await page.getByRole("button", { name: "Start agent" }).click();
  await expect(page.getByRole("heading", { name: "It waits for you" })).toBeVisible();
  await page.getByRole("button", { name: "Stop agent" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Stop agent" }).click();
  await expect(page.getByText("The run was cancelled.").first()).toBeVisible();
  await page.getByRole("link", { name: "Agents" }).last().click();
  const stopped = page.getByRole("row", { name: /Remember tea at four/ });
  await expect(stopped).toContainText("The run was cancelled.");
  await page.getByRole("checkbox", { name: "Choose Remember tea at four." }).check();
  await page.getByRole("button", { name: "Forget 1 run" }).click();
  const many = page.getByRole("dialog", { name: "Forget 1 run?" });
  await many.getByRole("button", { name: "Forget", exact: true }).click();
  await expect(many).toContainText("Done: 1 of 1.");
  await model.stop();
});

test("a person reads a model's text while it is written", async ({ page }) => {
  await signUp(page);
  const read = Promise.withResolvers<void>();
  const model = await connectModel(page, () => ({ text: "Four is a fine hour.", until: read.promise }));
  await page.goto("/agents/new");
  await page.getByLabel("Task").fill("Say when tea is.");
  await page.getByLabel("Endpoint").selectOption("Our model");
  await page.getByRole("button", { name: "Start agent" }).click();
  await expect(page.getByRole("log").getByText("Four is a fine hour.")).toBeVisible();
  await expectGoodLooks(page);
  await page.goto(page.url().replace("/agents/", "/runs/"));
  await expect(page.getByRole("log").getByText("Four is a fine hour.")).toBeVisible();
  await expectGoodLooks(page);
  await page.goBack();
  read.resolve();
  await expect(page.getByRole("heading", { name: "Answer" })).toBeVisible();
  await expect(page.getByRole("log")).toHaveCount(0);
  await model.stop();
});
