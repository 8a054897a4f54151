import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { expect, type Page, test } from "@playwright/test";
import { portOf } from "../server/boot/processes.ts";
import { expectGoodLooks } from "./looks.ts";
import { signIn, signUp } from "./people.ts";

const verifier = randomBytes(32).toString("base64url");

/** A program on this computer that waits for the browser. */
async function startApp(page: Page, name = "Notes") {
  const server = createServer((_, answer) =>
    answer.setHeader("content-type", "text/html").end("<title>Back</title>Back"),
  );
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const origin = `http://127.0.0.1:${portOf(server)}`;
  const registration = {
    client_name: name,
    redirect_uris: ["http://127.0.0.1/callback"],
    token_endpoint_auth_method: "none",
  };
  const registered = await page.request.post("/oauth/register", { data: registration });
  const { client_id } = await registered.json();
  const parameters = new URLSearchParams({
    response_type: "code",
    client_id,
    redirect_uri: `${origin}/callback`,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    state: "a-state",
    scope: "projects:read files:read services:invoke",
  });
  return { origin, client_id, authorize: `/oauth/authorize?${parameters}`, close: () => server.close() };
}

test("a person signs in, allows an app what they choose, and is back in the app", async ({
  page,
  browser,
}) => {
  const { email } = await signUp(page);
  const context = await browser.newContext();
  const visitor = await context.newPage();
  const app = await startApp(page);
  await visitor.goto(new URL(app.authorize, page.url()).href);
  await expect(visitor).toHaveURL(/\/sign-in\?next=/);
  await signIn(visitor, email);
  await expect(visitor.getByRole("heading", { name: "Connect Notes?" })).toBeVisible();
  await expect(visitor.getByText("Unverified app")).toBeVisible();
  await expect(visitor.getByText("an app on this computer")).toBeVisible();
  await expectGoodLooks(visitor);
  await expect(visitor.getByLabel("Spending limit")).toHaveValue("1000");
  await visitor.getByRole("checkbox", { name: "services:invoke" }).uncheck();
  await expect(visitor.getByLabel("Spending limit")).toBeHidden();
  await visitor.getByRole("button", { name: "Allow" }).click();
  await visitor.waitForURL(`${app.origin}/callback?**`);
  const answered = new URL(visitor.url()).searchParams;
  expect([answered.get("state"), answered.get("iss")]).toEqual(["a-state", new URL(page.url()).origin]);
  const form = {
    grant_type: "authorization_code",
    code: String(answered.get("code")),
    client_id: app.client_id,
    redirect_uri: `${app.origin}/callback`,
    code_verifier: verifier,
  };
  const tokens = await (await page.request.post("/oauth/token", { form })).json();
  expect(tokens.scope).toBe("services:read projects:read files:read");
  app.close();
  await context.close();
});

test("a person cancels, and the app is told", async ({ page }) => {
  await signUp(page);
  const app = await startApp(page);
  await page.goto(app.authorize);
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.waitForURL(`${app.origin}/callback?**`);
  expect(new URL(page.url()).searchParams.get("error")).toBe("access_denied");
  app.close();
});

test("a person enters the code of a program, compares it, and allows what they choose", async ({
  page,
  browser,
}) => {
  const { email } = await signUp(page);
  const asked = await (await page.request.post("/oauth/device", { form: { client_id: "cli" } })).json();
  const poll = async () => {
    const form = {
      grant_type: "urn:ietf:params:oauth:grant-type:device_code",
      client_id: "cli",
      device_code: asked.device_code,
    };
    return (await page.request.post("/oauth/token", { form })).json();
  };
  const context = await browser.newContext();
  const visitor = await context.newPage();
  await visitor.goto(new URL("/device", page.url()).href);
  await expect(visitor).toHaveURL(/\/sign-in\?next=/);
  await signIn(visitor, email);
  await visitor.getByLabel("Code").fill("BCDF-GHJK");
  await visitor.getByRole("button", { name: "Continue" }).click();
  await expect(visitor.getByText("No program waits with this code.")).toBeVisible();
  await expectGoodLooks(visitor);
  await visitor.getByLabel("Code").fill(asked.user_code.toLowerCase());
  await visitor.getByRole("button", { name: "Continue" }).click();
  await expect(visitor.getByRole("heading", { name: "Is this your program?" })).toBeVisible();
  await expect(visitor.getByText(asked.user_code)).toBeVisible();
  await expectGoodLooks(visitor);
  await visitor.getByRole("button", { name: "Go on" }).click();
  await expect(visitor.getByRole("heading", { name: "Connect Command line?" })).toBeVisible();
  await expect(visitor.getByText("The program that shows the code")).toBeVisible();
  await expectGoodLooks(visitor);
  await visitor.getByRole("checkbox", { name: "api_keys:manage" }).uncheck();
  await visitor.getByRole("button", { name: "Allow" }).click();
  await expect(visitor.getByRole("heading", { name: "Command line is connected" })).toBeVisible();
  // As a program does, which is to wait five seconds between its polls.
  const scopes: string[] = [];
  const redeem = async () => {
    const { scope } = await poll();
    if (scope) scopes.push(scope);
    return scopes;
  };
  await expect.poll(redeem, { intervals: [6_000] }).toHaveLength(1);
  expect(scopes[0]).toContain("runs:write");
  expect(scopes[0]).not.toContain("api_keys:manage");
  await context.close();
});

test("a person opens a program's link, which fills in the code, and cancels", async ({ page }) => {
  await signUp(page);
  const asked = await (await page.request.post("/oauth/device", { form: { client_id: "cli" } })).json();
  await page.goto(
    new URL(asked.verification_uri_complete).pathname + new URL(asked.verification_uri_complete).search,
  );
  await expect(page.getByLabel("Code")).toHaveValue(asked.user_code);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("heading", { name: "Nothing was allowed" })).toBeVisible();
  const form = {
    grant_type: "urn:ietf:params:oauth:grant-type:device_code",
    client_id: "cli",
    device_code: asked.device_code,
  };
  expect((await (await page.request.post("/oauth/token", { form })).json()).error).toBe("access_denied");
});

test("an app that has opened a popup finds itself as its opener, and no page shows ours in a frame", async ({
  page,
}) => {
  await signUp(page);
  const ours = page.url();
  const consent = await page.request.get("/oauth/consent");
  expect(consent.headers()["content-security-policy"]).toContain("frame-ancestors 'none'");
  expect(consent.headers()["referrer-policy"]).toBe("no-referrer");
  const app = await startApp(page);
  await page.goto(app.origin);
  const opened = page.waitForEvent("popup");
  const address = new URL(app.authorize, ours).href;
  await page.evaluate((url) => void window.open(url, "sign-in", "width=480,height=700"), address);
  const popup = await opened;
  await popup.getByRole("button", { name: "Allow" }).click();
  await popup.waitForURL(`${app.origin}/callback?**`);
  expect(await popup.evaluate(() => window.opener !== null)).toBe(true);
  app.close();
});
