import { createServer } from "node:http";
import { expect, type Page, test } from "@playwright/test";
import { portOf } from "../server/boot/processes.ts";
import { expectGoodLooks } from "./looks.ts";
import { signUp } from "./people.ts";

/** Chooses an action of the menu at the page's head. */
async function choose(page: Page, action: string) {
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: action }).click();
}

test("a person creates, tests, inspects, replays, rotates, pauses and recovers a webhook", async ({
  page,
}) => {
  test.slow();
  const received: string[] = [];
  let last = { headers: "", body: "" };
  let broken = false;
  const endpoint = createServer(async (request, response) => {
    received.push(String(request.headers["webhook-id"]));
    const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
    last = { headers: headers.join("\n"), body: Buffer.concat(await request.toArray()).toString() };
    response.writeHead(broken ? 500 : 200).end("thanks");
  });
  await new Promise<void>((resolve) => endpoint.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${portOf(endpoint)}`;

  await signUp(page, "/projects");
  await page.getByRole("link", { name: "Webhooks" }).click();
  await expect(page.getByRole("heading", { name: "No webhooks yet" })).toBeVisible();
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "New webhook" }).click();
  await page.getByLabel("Address").fill("https://10.0.0.1/hook");
  await page.getByRole("button", { name: "Create webhook" }).click();
  await expect(
    page.getByText("10.0.0.1 is not a public address. Use one that the internet reaches.", { exact: true }),
  ).toBeVisible();
  await expectGoodLooks(page);
  await page.getByLabel("Address").fill(`http://${host}/hook`);
  await page.getByLabel("All events").uncheck();
  await page.getByRole("button", { name: "Examples of project" }).click();
  await expect(page.getByRole("region", { name: "project.created, its data" })).toContainText("Web shop");
  await page.getByRole("button", { name: /events of project$/ }).click();
  await page.getByRole("checkbox", { name: "project.created" }).check();
  await page.getByRole("button", { name: "Add condition" }).click();
  await page.getByLabel("Condition 1: field").fill("data.project.nam");
  await page.getByLabel("Condition 1: comparison").selectOption("begins with");
  await page.getByLabel("Condition 1: value").fill("Miss");
  await page.getByRole("button", { name: "Add headers" }).click();
  await page.getByLabel("Headers: key 1").fill("X-Office");
  await page.getByLabel("Headers: value 1").fill("back-door-7");
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "Create webhook" }).click();
  await expect(
    page.getByText("No event that is asked for has data.project.nam. The nearest is data.project.name.", {
      exact: true,
    }),
  ).toBeVisible();
  await expectGoodLooks(page);
  await page.getByLabel("Condition 1: field").fill("data.project.name");
  await page.getByLabel("Description").fill("Back office");
  await page.getByRole("button", { name: "Create webhook" }).click();
  await expect(page.getByText(/^whsec_/)).toBeVisible();
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "I have stored it" }).click();
  await expect(page.getByRole("heading", { name: host })).toBeVisible();
  expect(await page.content()).not.toContain("whsec_");
  expect(await page.content()).not.toContain("back-door-7");
  await expect(page.getByText("data.project.name begins with Miss")).toBeVisible();
  await expect(page.getByText("x-office", { exact: true })).toBeVisible();

  await page.getByRole("button", { name: "Send test event" }).click();
  const table = page.getByRole("table", { name: "Deliveries" });
  await expect(table.getByRole("row", { name: /webhook\.test/ })).toContainText("Succeeded");
  await expectGoodLooks(page);
  await table.getByRole("link", { name: "webhook.test" }).click();
  const panel = page.getByRole("dialog", { name: "webhook.test" });
  await expect(panel.getByText("thanks")).toBeVisible();
  await expectGoodLooks(page);
  await panel.getByRole("button", { name: "Replay" }).click();
  await expect(panel.getByText("Replay of")).toBeVisible();
  await expect.poll(() => received.length).toBe(2);
  expect(new Set(received).size).toBe(1);
  await page.keyboard.press("Escape");
  // A select can be reached behind a panel that is closing, which no person could.
  await expect(panel).toHaveCount(0);
  await page.getByLabel("Event", { exact: true }).selectOption("project.created");
  await expect(page.getByText("Nothing matches these filters.")).toBeVisible();
  await page.getByLabel("Event", { exact: true }).selectOption("webhook.test");
  await expect(table.getByRole("link", { name: "webhook.test" })).toHaveCount(2);
  await page.getByRole("button", { name: "Clear filters" }).click();

  await choose(page, "Check signature");
  await page.getByLabel("Headers").fill(last.headers);
  await page.getByLabel("Body").fill(last.body);
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await expect(page.getByText("Your endpoint should believe it.")).toBeVisible();
  await page.getByLabel("Body").fill(last.body.replace("webhook.test", "webhook.text"));
  await page.getByLabel("Secret").fill("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await expect(page.getByText(/^From character \d+ on it is/)).toBeVisible();
  await expect(page.getByText("It does not make this signature.")).toBeVisible();
  await expectGoodLooks(page);
  await page.keyboard.press("Escape");
  const question = page.getByRole("alertdialog", { name: "Discard what you typed?" });
  await question.getByRole("button", { name: "Keep editing" }).click();
  await expect(page.getByLabel("Headers")).not.toHaveValue("");
  await page.keyboard.press("Escape");
  await question.getByRole("button", { name: "Discard" }).click();

  expect(last.headers).toContain("x-office: back-door-7");
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await expect(page.getByLabel("Condition 1: value")).toHaveValue("Miss");
  await page.getByRole("button", { name: "Remove x-office" }).click();
  await page.getByLabel("Description").fill("Front office");
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "Save webhook" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByText("Front office")).toBeVisible();
  await expect(page.getByText("x-office", { exact: true })).toHaveCount(0);

  await choose(page, "Rotate secret");
  await page.getByLabel("Overlap").fill("1");
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "Rotate", exact: true }).click();
  await expect(page.getByText(/^whsec_/)).toBeVisible();
  await page.getByRole("button", { name: "I have stored it" }).click();
  await expect(page.getByText("Old secret ends")).toBeVisible();

  await choose(page, "Pause");
  await expect(page.getByText("The webhook is paused.")).toBeVisible();
  const away = await page.context().newPage();
  await away.goto("/projects/new");
  await away.getByLabel("Name").fill("Missed");
  await away.getByRole("button", { name: "Create project" }).click();
  await expect(away.getByRole("heading", { name: "Missed" })).toBeVisible();
  await away.close();
  await choose(page, "Resume");
  await expect(page.getByText("The webhook is active.")).toBeVisible();
  await choose(page, "Recover");
  await expect(page.getByText("1 event will be sent.")).toBeVisible();
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "Send them" }).click();
  await expect(table.getByRole("row", { name: /project\.created/ })).toContainText("Succeeded");

  await page.getByRole("checkbox", { name: "Choose all on this page" }).check();
  await page.getByRole("button", { name: "Replay 3 deliveries" }).click();
  const many = page.getByRole("dialog", { name: "Replay 3 deliveries?" });
  await many.getByRole("button", { name: "Replay", exact: true }).click();
  await expect(many).toContainText("Done: 3 of 3.");
  await many.getByRole("button", { name: "Close" }).last().click();
  await expect(table.getByText("Succeeded")).toHaveCount(6);

  broken = true;
  await page.getByRole("button", { name: "Send test event" }).click();
  await expect(page.getByText("Failing", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Webhooks" }).last().click();
  await expect(page.getByRole("row", { name: new RegExp(host) })).toContainText(/Failing\s*100 % of 6/);
  await page.getByRole("link", { name: host }).click();

  await choose(page, "Disable");
  const dialog = page.getByRole("alertdialog", { name: "Disable this webhook?" });
  await dialog.getByRole("button", { name: "Disable" }).click();
  await expect(page.getByText("It was disabled by hand.")).toBeVisible();
  await page.getByRole("link", { name: "Webhooks" }).last().click();
  await expect(page.getByRole("heading", { name: "No webhooks yet" })).toBeVisible();
  await page.getByLabel("Status").selectOption("Disabled");
  await expect(page.getByRole("row", { name: new RegExp(host) })).toContainText(/Disabled\s*86 % of 7/);
  await expectGoodLooks(page);
  await page.getByRole("checkbox", { name: `Choose http://${host}/hook` }).check();
  await page.getByRole("button", { name: "Resume 1 webhook" }).click();
  const resuming = page.getByRole("dialog", { name: "Resume 1 webhook?" });
  await resuming.getByRole("button", { name: "Resume", exact: true }).click();
  await expect(resuming).toContainText("Done: 1 of 1.");
  await resuming.getByRole("button", { name: "Close" }).last().click();
  await page.getByLabel("Status").selectOption("In use");
  await expect(page.getByRole("row", { name: new RegExp(host) })).toContainText("Active");
  endpoint.close();
});

test("a person without an endpoint reads the deliveries that one would receive", async ({ page }) => {
  await signUp(page, "/webhooks/new");
  await page.getByRole("button", { name: "Inspect here" }).click();
  await expect(page.getByLabel("Address")).toHaveValue(/\/inspect$/);
  await page.getByRole("button", { name: "Create webhook" }).click();
  await page.getByRole("button", { name: "I have stored it" }).click();
  await page.getByRole("button", { name: "Send test event" }).click();
  await page.getByRole("table", { name: "Deliveries" }).getByRole("link", { name: "webhook.test" }).click();
  const panel = page.getByRole("dialog", { name: "webhook.test" });
  await expect(panel.getByText("Received. Look into it at the webhook's deliveries.")).toBeVisible();
  await expect(panel.getByRole("region", { name: "Body" })).toContainText('"type": "webhook.test"');
});
