import { type Browser, expect, type Page, test } from "@playwright/test";
import { mutate } from "./console-calls.ts";
import { callApi, createKey, newAct } from "./keys.ts";
import { newEmail, signUp } from "./people.ts";
import { createWallet } from "./wallets.ts";

type Role = "admin" | "developer" | "approver" | "viewer";

/** Signs up a new member of the signed-in person's account; returns their page. */
async function joinAs(role: Role, owner: Page, browser: Browser): Promise<Page> {
  const email = newEmail();
  const headers = { origin: new URL(owner.url()).origin, "idempotency-key": newAct() };
  const data = { email, role };
  const answer = await owner.request.post("/api/trpc/invitations.create", { headers, data });
  const { link } = (await answer.json()).result.data;
  const page = await (await browser.newContext()).newPage();
  await signUp(page, undefined, { email, invitation: link.split("/").at(-1) });
  return page;
}

/** Requests an approval to delete a memory, in the signed-in person's account. */
async function askApproval(owner: Page): Promise<string> {
  const { secret } = await createKey(owner, {
    label: "Backend",
    scopes: ["services:invoke", "approvals:write"],
  });
  const body = { serviceId: "managed-memory", operationId: "delete", input: { name: "greeting" } };
  const asked = await callApi(owner.request, secret, "POST", "/approvals/service-actions", body);
  return `/approvals/${asked.body.approval.id}`;
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const panel = (page: Page) => page.getByRole("dialog", { name: "Approval" });

async function approve(page: Page) {
  await button(page, "Approve").click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Approve", exact: true }).click();
  await expect(panel(page)).toContainText("It may be done once");
}

test("an admin can do everything except the owner's actions", async ({ page, browser }) => {
  await signUp(page);
  const approval = await askApproval(page);
  const admin = await joinAs("admin", page, browser);
  await admin.goto("/api-keys/new");
  await admin.getByLabel("Label").fill("Checkout");
  await admin.getByRole("checkbox", { name: "projects:read" }).check();
  await button(admin, "Create key").click();
  await expect(admin.getByText(/^svc_live_/)).toBeVisible();
  await admin.goto(approval);
  await approve(admin);
  await admin.goto("/members");
  await expect(admin.getByRole("table", { name: "Members" })).toContainText("Grace Hopper");
  await expect(button(admin, "Invite member")).toHaveCount(0);
  await expect(button(admin, "Require it")).toHaveCount(0);
});

test("a developer builds, and neither decides nor spends", async ({ page, browser }) => {
  await signUp(page);
  const approval = await askApproval(page);
  await createWallet(page, "Treasury");
  const wallet = new URL(page.url()).pathname;
  const developer = await joinAs("developer", page, browser);
  await developer.goto("/projects");
  await button(developer, "New project").click();
  await developer.getByLabel("Name").fill("Web shop");
  await button(developer, "Create project").click();
  await expect(developer.getByRole("heading", { name: "Web shop" })).toBeVisible();
  await developer.goto(approval);
  await expect(panel(developer).getByRole("region", { name: "payload" })).toContainText("greeting");
  await expect(button(developer, "Approve")).toHaveCount(0);
  await developer.goto(wallet);
  await expect(developer.getByText("Nothing yet. Send something to the address below.")).toBeVisible();
  for (const name of ["Send", "Sign", "Edit policy"]) await expect(button(developer, name)).toHaveCount(0);
});

test("an approver decides others' requests, and can request nothing", async ({ page, browser }) => {
  await signUp(page);
  const approver = await joinAs("approver", page, browser);
  await approver.goto("/approvals");
  const approval = await askApproval(page);
  await approver.getByRole("link", { name: /^Delete the memory "greeting"/ }).click();
  await expect(approver).toHaveURL(approval);
  await approve(approver);

  // Who asks for a looser policy is offered no decision of it.
  const limits = { "Most per transaction (USD)": "50" };
  await createWallet(page, "Treasury", limits, ["Loosening this policy needs one too"]);
  const looser = { walletId: page.url().split("/").at(-1), ifVersion: 1, maxPerTransactionUsd: "500" };
  const action = { serviceId: "managed-wallets", operationId: "policy.update", input: looser };
  const asked = await mutate(page, "approvals.create", action);
  await page.goto(`/approvals/${asked.approval.id}`);
  await expect(panel(page)).toContainText("You asked for it, so somebody else has to decide it.");
  await expect(button(page, "Approve")).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("row", { name: /Loosen the policy/ })).toBeVisible();
  await expect(page.getByRole("checkbox", { name: /^Choose Loosen/ })).toHaveCount(0);
  await approver.goto(`/approvals/${asked.approval.id}`);
  await expect(button(approver, "Approve")).toBeVisible();
  await approver.goto("/api-keys");
  await expect(approver.getByRole("heading", { name: "Keys are not shown to your role" })).toBeVisible();
  await expect(button(approver, "New key")).toHaveCount(0);
});

test("a viewer sees everything, and is offered no changes", async ({ page, browser }) => {
  await signUp(page);
  const approval = await askApproval(page);
  const viewer = await joinAs("viewer", page, browser);
  const offers = {
    "/projects": "New project",
    "/api-keys": "New key",
    "/files": "Upload files",
    "/connections": "New connection",
    "/wallets": "New wallet",
    "/webhooks": "New webhook",
  };
  for (const [path, offer] of Object.entries(offers)) {
    await page.goto(path);
    await expect(button(page, offer).first()).toBeVisible();
    await viewer.goto(path);
    const heading = (await page.locator("h1").textContent()) as string;
    await expect(viewer.getByRole("heading", { name: heading, level: 1 })).toBeVisible();
    await expect(viewer.getByRole("main").getByRole("alert")).toHaveCount(0);
    await expect(button(viewer, offer)).toHaveCount(0);
  }
  await viewer.goto(approval);
  await expect(panel(viewer)).toContainText("greeting");
  await expect(button(viewer, "Approve")).toHaveCount(0);
  await expect(button(viewer, "Reject")).toHaveCount(0);
});
