import { type Browser, expect, type Page, test } from "@playwright/test";
import { mutate, read } from "./console-calls.ts";
import { callApi, createKey, newAct } from "./keys.ts";
import { expectGoodLooks } from "./looks.ts";
import { newEmail, signUp } from "./people.ts";

const palette = (page: Page) => page.getByRole("dialog", { name: "Command palette" });
const input = (page: Page) => palette(page).getByRole("combobox");
const option = (page: Page, name: string | RegExp) => palette(page).getByRole("option", { name });

/** Opens the palette by its keys; presses them again if the page's scripts had not run yet. */
async function openPalette(page: Page) {
  await expect(async () => {
    await page.keyboard.press("Control+k");
    await expect(palette(page)).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await expect(input(page)).toBeFocused();
}

test("the search button names the key that the machine has", async ({ page }) => {
  await signUp(page, "/");
  for (const [machine, key] of [
    ["Macintosh; Intel Mac OS X 10_15_7", "⌘"],
    ["Windows NT 10.0; Win64; x64", "Ctrl"],
  ]) {
    const headers = { "user-agent": `Mozilla/5.0 (${machine})` };
    expect(await (await page.request.get("/", { headers })).text()).toContain(`>${key}</kbd>`);
  }
});

test("a person finds resources by name, id, request, address and hash, and opens them", async ({ page }) => {
  const { email } = await signUp(page, "/");
  const key = await createKey(page, { label: "Shop backend", scopes: ["projects:read"] });
  const { project } = await mutate(page, "projects.create", { name: "Shop" });
  const { wallet } = await mutate(page, "wallets.create", { label: "Shop treasury" });
  const { requestId } = await callApi(page.request, key.secret, "GET", "/projects");
  const steps = [{ id: "pause", type: "wait", seconds: 0 }];
  const stored = { name: "restock-daily", workflow: { name: "Restock", steps } };
  const put = { serviceId: "managed-workflows", operationId: "put", input: stored };
  const { workflow } = (await mutate(page, "services.invoke", put)).result;

  const { memberId } = await read(page, "me.read");
  await mutate(page, "databases.account.provision", {});
  const { transfer } = await mutate(page, "databases.transfers.create", { direction: "export" });

  await openPalette(page);
  // Three keystrokes are enough.
  await page.keyboard.type("sho");
  await expect(option(page, /^Shop\s*shop\s*Project$/)).toBeVisible();
  await expect(option(page, /^Shop backend.*API key$/)).toBeVisible();
  await expect(option(page, /^Shop treasury.*Wallet$/)).toBeVisible();
  await expectGoodLooks(page);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/projects/${project.id}`);

  const network = "eip155:31337";
  const sent = { walletId: wallet.id, network, asset: "native", amount: "1" };
  const { hash } = await mutate(page, "wallets.faucet", sent);
  const seen = async () => {
    const { transactions } = await read(page, "wallets.transactions.list", { walletId: wallet.id });
    return transactions.find((one: { hash: string }) => one.hash === hash)?.id;
  };
  await expect.poll(seen, { timeout: 90_000 }).toBeDefined();

  for (const [text, path] of [
    [key.id, `/api-keys/${key.id}`],
    [wallet.address, `/wallets/${wallet.id}`],
    ["restock-d", `/workflows/stored/${workflow.id}`],
    [requestId, `/audit?requestId=${requestId}`],
    // A member has no page of their own: the list shows them alone.
    [email, `/members?search=${memberId}`],
    [transfer.id, `/database/copies?transfer=${transfer.id}`],
    [hash.toUpperCase().replace("0X", "0x"), `/wallets/${wallet.id}/transactions/${await seen()}`],
  ] as const) {
    await openPalette(page);
    await input(page).fill(text);
    await expect(palette(page).getByRole("status")).toHaveText(/^[12] results? found\.$/);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(path);
  }
  await page.goto(`/database/copies?transfer=${transfer.id}`);
  await expect(page.getByRole("heading", { name: "This export" })).toBeVisible();
  await page.goto(`/members?search=${memberId}`);
  await expect(page.getByRole("table", { name: "Members" })).toContainText(email);

  // Before any text is typed, the palette offers recently opened pages and the actions of this page.
  await page.goto(`/wallets/${wallet.id}`);
  await openPalette(page);
  await expect(palette(page).getByRole("group", { name: "Recent" }).getByRole("option")).toContainText([
    /Shop backend/,
    /^Shop/,
  ]);
  await expectGoodLooks(page);
  await option(page, "Send from this wallet").click();
  await expect(page).toHaveURL(`/wallets/${wallet.id}/send`);
});

test("a person finds a resource by a part of its id, and sees that part", async ({ page }) => {
  await signUp(page, "/");
  const { project } = await mutate(page, "projects.create", { name: "Shop" });
  const text = { name: "Opening hours", content: "Nine to five" };
  const put = { serviceId: "managed-memory", operationId: "put", input: text };
  const { memory } = (await mutate(page, "services.invoke", put)).result;

  await openPalette(page);
  await page.keyboard.type(project.id.slice(-3));
  await expect(option(page, new RegExp(`^Shop.*${project.id}.*Project$`))).toBeVisible();
  await expectGoodLooks(page);
  // As pages show an id, with its middle left out.
  await input(page).fill(`${project.id.slice(0, 9)}…${project.id.slice(-6)}`);
  await expect(palette(page).getByRole("status")).toHaveText("1 result found.");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/projects/${project.id}`);

  await openPalette(page);
  await input(page).fill(memory.id.slice(-8));
  await expect(option(page, /^Opening hours.*Memory$/)).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/memories/${memory.id}`);
  await expect(page.getByText("Nine to five")).toBeVisible();

  await openPalette(page);
  await input(page).fill("deposit.confirmed");
  await expect(option(page, /^wallet\.deposit\.confirmed/)).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/docs/events#wallet-deposit");
});

test("a pasted secret finds its key and is not sent", async ({ page }) => {
  await signUp(page, "/");
  const { secret } = await createKey(page, { label: "Backend", scopes: ["projects:read"] });
  const sent: string[] = [];
  page.on("request", (request) => sent.push(decodeURIComponent(request.url())));
  await openPalette(page);
  await input(page).fill(secret);
  await expect(option(page, /^Backend/)).toBeVisible();
  await expect(palette(page)).toContainText("Secrets stay in this browser");
  expect(sent.filter((url) => url.includes(secret.slice(0, 16)))).toEqual([]);
  expect(sent.filter((url) => url.includes(secret.slice(0, 15))).length).toBeGreaterThan(0);
});

test("hostile names are shown as text", async ({ page }) => {
  await signUp(page, "/");
  const { secret } = await createKey(page, { label: "Uploads", scopes: ["files:write"] });
  for (const [name, status] of [
    [`<img src=x onerror="document.title='bent'">.txt`, 201],
    [`long ${"x".repeat(900)}.txt`, 201],
    ["evil \u202Etxt.exe", 400],
  ] as const) {
    const answer = await page.request.post("/v1/files", {
      headers: {
        authorization: `Bearer ${secret}`,
        "idempotency-key": newAct(),
        "content-type": "text/plain",
        "x-file-name": `UTF-8''${encodeURIComponent(name)}`,
      },
      data: "Hello",
    });
    expect(answer.status(), await answer.text()).toBe(status);
  }
  await mutate(page, "projects.create", { name: "<b>Shop</b>" });
  await openPalette(page);
  await input(page).fill("<b>");
  await expect(option(page, /^<b>Shop<\/b>/)).toBeVisible();
  await input(page).fill("x".repeat(10_000));
  await expect(option(page, /^long/)).toHaveCount(1);
  await input(page).fill("txt");
  await expect(option(page, /^<img src=x onerror="document\.title='bent'">\.txt/)).toBeVisible();
  await expectGoodLooks(page);
  await expect(page).toHaveTitle(/Overview/);
});

async function joinAsViewer(owner: Page, browser: Browser): Promise<Page> {
  const email = newEmail();
  const { link } = await mutate(owner, "invitations.create", { email, role: "viewer" });
  const page = await (await browser.newContext()).newPage();
  await signUp(page, "/", { email, invitation: link.split("/").at(-1) });
  return page;
}

test("a viewer finds no keys, and the palette offers them no creation", async ({ page, browser }) => {
  await signUp(page);
  await createKey(page, { label: "Shop backend", scopes: ["projects:read"] });
  await mutate(page, "projects.create", { name: "Shop" });
  const viewer = await joinAsViewer(page, browser);
  await openPalette(viewer);
  await input(viewer).fill("shop");
  await expect(palette(viewer).getByRole("option")).toHaveText([/^Shop/]);
  await input(viewer).fill("new");
  await expect(palette(viewer)).toContainText("Nothing has this name.");
});

test("a person switches the project by keys alone, and runs an action of the page", async ({ page }) => {
  await signUp(page, "/connections");
  const { project } = await mutate(page, "projects.create", { name: "The oldest branch" });
  for (let nth = 0; nth < 50; nth++) await mutate(page, "projects.create", { name: `Branch ${nth}` });
  await openPalette(page);
  await input(page).fill("switch");
  await expect(option(page, "Switch project")).toBeVisible();
  await page.keyboard.press("Enter");
  const find = palette(page).getByRole("combobox", { name: "Find a project" });
  await expect(find).toBeFocused();
  await expect(option(page, /^Branch 49/)).toBeVisible();
  await expect(option(page, /^The oldest branch/)).toHaveCount(0);
  await expectGoodLooks(page);
  await page.keyboard.type("oldest");
  await expect(palette(page).getByRole("option")).toHaveText([/^The oldest branch/]);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/connections?projectId=${project.id}`);

  await openPalette(page);
  const fitting = palette(page).getByRole("group", { name: "On this page" }).getByRole("option");
  await expect(fitting).toHaveText(["New connection"]);
  await expect(option(page, "New connection")).toHaveCount(1);
  await fitting.click();
  await expect(page).toHaveURL(`/connections/new?projectId=${project.id}`);

  // Escape leaves the choice of projects, and the palette opens at its beginning again.
  const form = page.getByRole("dialog", { name: "New connection" });
  await expect(form).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(form).toHaveCount(0);
  await openPalette(page);
  await option(page, "Switch project").click();
  await page.keyboard.press("Escape");
  await expect(palette(page)).toHaveCount(0);
  await openPalette(page);
  await expect(option(page, "New connection")).toBeVisible();
});

test("the palette presses the buttons of the page, and of the panel over it", async ({ page }) => {
  await signUp(page, "/");
  const { apiKey } = await mutate(page, "apiKeys.create", { label: "Backend", scopes: ["projects:read"] });
  const action = { serviceId: "managed-memory", operationId: "delete", input: { name: "note" } };
  const { approval } = await mutate(page, "approvals.create", action);
  for (const [path, label, dialog] of [
    [`/api-keys/${apiKey.id}`, "Revoke", /^Revoke/],
    [`/approvals/${approval.id}`, "Reject", /^Reject/],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole("button", { name: label, exact: true })).toBeEnabled();
    await openPalette(page);
    await input(page).fill(label.toLowerCase());
    await expect(option(page, label)).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(palette(page)).toHaveCount(0);
    await expect(page.getByRole("alertdialog", { name: dialog })).toBeVisible();
  }
  // Below a form, the header's buttons are out of reach.
  await page.goto(`/api-keys/${apiKey.id}/rotate`);
  await expect(page.getByRole("dialog").getByRole("button", { name: "Cancel" })).toBeVisible();
  await openPalette(page);
  await expect(option(page, "Copy the id")).toBeVisible();
  await expect(option(page, "Revoke")).toHaveCount(0);
});
