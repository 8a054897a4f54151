import { sign } from "@octokit/webhooks-methods";
import { expect, type Page, test } from "@playwright/test";
import { callApi, createKey, newAct } from "./keys.ts";
import { expectGoodLooks } from "./looks.ts";
import { signUp } from "./people.ts";

/** Returns noon of a past day, as a field for a moment takes it. */
const noon = (daysAgo: number) =>
  `${new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)}T12:00`;
const toast = (page: Page, text: string) => page.getByText(text, { exact: true });

test("a person has runs started automatically, and sees the next ones", async ({ page }) => {
  await signUp(page, "/triggers");
  await expect(page.getByText("No triggers yet")).toBeVisible();
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "New trigger" }).click();
  await expect(page).toHaveURL("/triggers/new");
  await page.getByLabel("Name").fill("nightly-note");
  const times = page.getByRole("region", { name: "Next times" });
  await expect(times.getByRole("listitem")).toHaveCount(5);
  await page.getByLabel("Crontab line").fill("61 2 * * *");
  await expect(times).toContainText("Not a crontab line");
  await expectGoodLooks(page);
  await page.getByLabel("Crontab line").fill("30 2 * * *");
  await page.getByLabel("Time zone").fill("Europe/Berlin");
  await expect(times.getByRole("listitem")).toHaveCount(5);
  await page.getByLabel("Starts").selectOption({ label: "Another operation" });
  await page.getByLabel("Input").fill('{ "content": "A note of the night." }');
  await page.getByRole("button", { name: "Create trigger" }).click();

  await expect(page).toHaveURL(/\/triggers\/trg_[0-9a-z]{26}$/);
  await expect(page.getByRole("heading", { name: "nightly-note" })).toBeVisible();
  await expect(page.getByText("30 2 * * * (Europe/Berlin)")).toBeVisible();
  await page.getByRole("button", { name: "Start now" }).click();
  await expect(toast(page, "nightly-note starts a run.")).toBeVisible();
  const before = page.getByRole("table", { name: "Times before" });
  await expect(before.getByRole("row", { name: /By hand/ })).toContainText("Started");
  await expectGoodLooks(page);

  await page.getByRole("button", { name: "Backfill" }).click();
  await expect(page).toHaveURL(/\/backfill$/);
  await expectGoodLooks(page);
  const backfill = page.getByRole("dialog", { name: "Backfill “nightly-note”" });
  await backfill.getByLabel("From").fill(noon(3));
  await backfill.getByLabel("Until").fill(noon(2));
  await backfill.getByRole("button", { name: "Start them" }).click();
  await expect(toast(page, "1 run is started.")).toBeVisible();

  await page.getByRole("button", { name: "Edit" }).click();
  await expect(page.getByRole("button", { name: "Save trigger" })).toBeVisible();
  await expectGoodLooks(page);
  await page.getByLabel("When").selectOption({ label: "Every so many minutes" });
  await page.getByLabel("Every", { exact: true }).fill("90");
  await page.getByRole("button", { name: "Save trigger" }).click();
  await expect(page.getByText("Every 90 minutes")).toBeVisible();
  await page.getByRole("button", { name: "Pause" }).click();
  await expect(toast(page, "nightly-note is paused.")).toBeVisible();
  await expect(page.getByText("None follow.")).toBeVisible();
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(toast(page, "nightly-note goes on from now.")).toBeVisible();

  await page.getByRole("link", { name: "Triggers" }).last().click();
  const listed = page.getByRole("row", { name: /nightly-note/ });
  await expect(listed).toContainText("Active");
  for (const [verb, status] of [
    ["Pause", "Paused"],
    ["Resume", "Active"],
  ] as const) {
    await page.getByRole("checkbox", { name: "Choose nightly-note" }).check();
    await page.getByRole("button", { name: `${verb} 1 trigger` }).click();
    const many = page.getByRole("dialog", { name: `${verb} 1 trigger?` });
    await many.getByRole("button", { name: verb, exact: true }).click();
    await expect(many).toContainText("Done: 1 of 1.");
    await many.getByRole("button", { name: "Close" }).last().click();
    await expect(listed).toContainText(status);
  }
  await page.getByRole("link", { name: "Calendar" }).click();
  await expect(page).toHaveURL("/triggers/calendar");
  const days = page.getByRole("list", { name: "Calendar" });
  await expect(days.getByRole("link", { name: "nightly-note" }).first()).toBeVisible();
  await expectGoodLooks(page);

  await days.getByRole("link", { name: "nightly-note" }).first().click();
  await before
    .getByRole("row", { name: /By hand/ })
    .getByRole("link")
    .click();
  await expect(page).toHaveURL(/\/runs\/run_/);
  await page.getByRole("link", { name: "nightly-note" }).click();
  await page.getByRole("link", { name: "All its runs" }).click();
  await expect(page).toHaveURL(/\/runs\?triggerId=trg_/);
  await expect(page.getByRole("row", { name: /managed-memory/ }).first()).toBeVisible();
  await page.goBack();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await expect(page).toHaveURL("/triggers");
  await expect(page.getByText("No triggers yet")).toBeVisible();
});

test("a new trigger begins in the person's time zone, and the others are suggested", async ({ browser }) => {
  const page = await (await browser.newContext({ timezoneId: "America/New_York" })).newPage();
  await signUp(page, "/triggers/new");
  await expect(page.getByLabel("Time zone")).toHaveValue("America/New_York");
  await expect(page.locator('datalist option[value="Europe/Berlin"]')).toHaveCount(1);
});

test("a person has runs started by events", async ({ page }) => {
  await signUp(page, "/triggers/new");
  await page.getByLabel("Name").fill("thank-you");
  await page.getByLabel("When").selectOption({ label: "At an event" });
  await page.getByLabel("Event", { exact: true }).fill("wallet.emptied");
  await page
    .getByRole("textbox", { name: /^Conditions/ })
    .fill('[{"path": "data.usd", "op": "gte", "value": "12.50"}]');
  await page.getByLabel("Starts").selectOption({ label: "Another operation" });
  await page.getByLabel("Input").fill('{ "content": "Thank {% event.data.customer %}." }');
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "Create trigger" }).click();
  await expect(page.getByText('The platform has no event "wallet.emptied".', { exact: true })).toBeVisible();
  await page.getByLabel("Event", { exact: true }).fill("order.paid");
  await page.getByRole("button", { name: "Create trigger" }).click();
  await expect(page.getByRole("heading", { name: "thank-you" })).toBeVisible();
  await expect(page.getByText("At each order.paid that fits")).toBeVisible();
  await expectGoodLooks(page);
  await expect(page.getByRole("button", { name: "Start now" })).toBeHidden();
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByRole("textbox", { name: /^Conditions/ }).fill("");
  await page.getByRole("button", { name: "Save trigger" }).click();
  await expect(page.getByText("At each order.paid", { exact: true })).toBeVisible();
  await expect(page.getByText("None: each event starts a run.")).toBeVisible();
});

test("a person has a provider's deliveries start runs", async ({ page, request }) => {
  await signUp(page, "/triggers/new");
  await page.getByLabel("Name").fill("new-issues");
  await page.getByLabel("When").selectOption({ label: "At an inbound webhook" });
  await page.getByLabel("Signed by").selectOption({ label: "HMAC-SHA256 in a header" });
  await expect(page.getByLabel("Header with the signature")).toHaveValue("x-signature");
  await page.getByLabel("Signed by").selectOption({ label: "GitHub" });
  await page.getByLabel("Starts").selectOption({ label: "Another operation" });
  await page.getByLabel("Input").fill('{ "content": "{% event.data.title %}" }');
  await page.getByRole("button", { name: "Create trigger" }).click();
  await expect(page.getByLabel("Secret")).toHaveAccessibleDescription(
    /The scheme github needs it: send the provider's signing secret\./,
  );
  await page.getByLabel("Secret").fill("It's a Secret to Everybody");
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "Create trigger" }).click();
  await expect(page.getByRole("heading", { name: "new-issues" })).toBeVisible();
  await expect(page.getByText("At each delivery of GitHub")).toBeVisible();
  await expectGoodLooks(page);

  const shown = page.getByText(/\/in\/[\w-]{43}$/);
  const address = (await shown.textContent()) ?? "";
  await expect(page.getByRole("button", { name: `Copy ${address}` })).toBeVisible();
  const data = '{"title":"It is slow"}';
  const signature = await sign("It's a Secret to Everybody", data);
  const send = async (to: string, delivery: string, signed = signature) => {
    const headers = {
      "content-type": "application/json",
      "x-github-delivery": delivery,
      "x-hub-signature-256": signed,
    };
    return (await request.post(new URL(to).pathname, { data, headers })).status();
  };
  expect(await send(address, "first")).toBe(202);
  const before = page.getByRole("table", { name: "Deliveries before" });
  await expect(before.getByRole("row", { name: /Delivery/ })).toContainText("Started");
  expect(await send(address, "second", "sha256=00")).toBe(401);
  await page.reload();
  await expect(page.getByText("Rejected deliveries")).toBeVisible();
  await expect(page.getByRole("definition").filter({ hasText: /^1$/ })).toBeVisible();

  await page.getByRole("button", { name: "Rotate address" }).click();
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toContainText("for 24 hours more");
  await dialog.getByRole("button", { name: "Rotate" }).click();
  await expect(toast(page, "new-issues has a new address.")).toBeVisible();
  await expect(shown).not.toHaveText(address);
  expect(await send(address, "third")).toBe(202);
  expect(await send((await shown.textContent()) ?? "", "fourth")).toBe(202);
  await expect(before.getByRole("row", { name: /Started/ })).toHaveCount(3);

  await page.getByRole("button", { name: "Edit" }).click();
  await expect(page.getByText("Leave it empty to keep the one that is stored.")).toBeVisible();
  await page.getByRole("button", { name: "Save trigger" }).click();
  await expect(page.getByRole("button", { name: "Save trigger" })).toBeHidden();
  expect(await send((await shown.textContent()) ?? "", "fifth")).toBe(202);
});

test("a person edits a trigger that was put by the API, and all of it stays that they do not change", async ({
  page,
  request,
}) => {
  await signUp(page);
  const scopes = ["services:invoke", "runs:read", "runs:write"];
  const { secret } = await createKey(page, { label: "Backend", scopes });
  const start = {
    serviceId: "managed-memory",
    operationId: "put",
    input: { content: "{% event.data.customer %}" },
    maxAttempts: 3,
    expiresInSeconds: 600,
    tags: ["crm", "nightly"],
    priority: -4,
    concurrency: [
      { key: "crm-api", limit: 3, hold: "live" },
      { key: "per-user", limit: 1, hold: "running" },
    ],
    debounce: { key: "burst", seconds: 30, maxSeconds: 300 },
  };
  const on = {
    event: "order.paid",
    where: [{ path: "data.usd", op: "gte", value: "12.50" }],
  };
  const invoke = async (operationId: string, input: object) => {
    const body = { operationId, input };
    const answer = await callApi(request, secret, "POST", "/services/managed-triggers/invoke", body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body.result;
  };
  const put = { name: "thank-you", on, start, overlap: "allow", pauseAfterFailures: 7 };
  const { trigger } = await invoke("put", put);

  await page.goto(`/triggers/${trigger.id}`);
  const facts = page.getByRole("main");
  await expect(facts.getByText("crm, nightly", { exact: true })).toBeVisible();
  await expect(facts.getByText("crm-api: 3 at once, waits included", { exact: true })).toBeVisible();
  await expect(facts.getByText("per-user: 1 at once", { exact: true })).toBeVisible();
  await expect(
    facts.getByText("burst: after 30 quiet seconds, at the latest after 300", { exact: true }),
  ).toBeVisible();
  await page.getByRole("button", { name: "Edit" }).click();
  await expect(page.getByRole("textbox", { name: "Tags" })).toHaveValue("crm\nnightly");
  await expect(page.getByLabel("Key 1", { exact: true })).toHaveValue("crm-api");
  await expect(page.getByLabel("Debounce by")).toHaveValue("burst");
  await expectGoodLooks(page);
  await page.getByLabel("Pause after failures").fill("9");
  await page.getByRole("button", { name: "Save trigger" }).click();
  await expect(page.getByRole("button", { name: "Save trigger" })).toBeHidden();
  const saved = (await invoke("get", { name: "thank-you" })).trigger;
  expect(saved).toEqual({
    ...trigger,
    pauseAfterFailures: 9,
    ownerKeyId: null,
    updatedAt: expect.any(String),
  });

  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByRole("textbox", { name: "Tags" }).fill("crm");
  await page.getByLabel("Priority").fill("11");
  await page.getByLabel("Key 2", { exact: true }).fill("crm-api");
  await page.getByRole("button", { name: "Save trigger" }).click();
  await expect(page.getByLabel("Priority")).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByText("Has a key twice.")).toBeVisible();
  await expectGoodLooks(page);
  await page.getByLabel("Priority").fill("10");
  await page.getByRole("button", { name: "Remove key 2" }).click();
  await page.getByLabel("Key 1: runs at once").fill("5");
  await page.getByLabel("Key 1: a run that waits").selectOption({ label: "gives way while it waits" });
  await page.getByLabel("Quiet for").fill("60");
  await page.getByRole("button", { name: "Save trigger" }).click();
  await expect(page.getByRole("button", { name: "Save trigger" })).toBeHidden();
  const edited = (await invoke("get", { name: "thank-you" })).trigger;
  expect(edited.start).toEqual({
    ...trigger.start,
    tags: ["crm"],
    priority: 10,
    concurrency: [{ key: "crm-api", limit: 5, hold: "running" }],
    debounce: { key: "burst", seconds: 60, maxSeconds: 300 },
  });
});

test("a stored workflow that a hundred newer ones hide is found by its name", async ({ page }) => {
  await signUp(page);
  const steps = [{ id: "pause", type: "wait", seconds: 1 }];
  for (const name of ["the-oldest", ...Array.from({ length: 100 }, (_, nth) => `newer-${nth}`)]) {
    const input = { name, workflow: { name, steps } };
    const answer = await page.request.post("/api/trpc/services.invoke", {
      headers: { origin: new URL(page.url()).origin, "idempotency-key": newAct() },
      data: { serviceId: "managed-workflows", operationId: "put", input },
    });
    expect(answer.status(), await answer.text()).toBe(200);
  }
  await page.goto("/triggers/new");
  await page.getByLabel("Name").fill("nightly");
  const starts = page.getByLabel("Starts");
  await expect(starts.getByRole("option", { name: "newer-99" })).toHaveCount(1);
  await expect(starts.getByRole("option", { name: "the-oldest" })).toHaveCount(0);
  await page.getByRole("searchbox", { name: "Find workflows" }).fill("oldest");
  await starts.selectOption("the-oldest");
  await page.getByRole("searchbox", { name: "Find workflows" }).fill("newer");
  await expect(starts.getByRole("option", { name: "newer-99" })).toHaveCount(1);
  await expect(starts).toHaveValue("the-oldest");
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "Create trigger" }).click();
  await expect(page).toHaveURL(/\/triggers\/trg_[0-9a-z]{26}$/);
  await expect(page.getByText("the-oldest").first()).toBeVisible();
});
