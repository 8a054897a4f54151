import { createServer as createHttpsServer } from "node:https";
import { expect, type Locator, test } from "@playwright/test";
import { portOf } from "../server/boot/processes.ts";
import { CERT, KEY } from "../server/testing/localhost-certificate.ts";
import { makeHost, STOCK_CLIENTS } from "../server/testing/stock-clients.ts";
import { expectGoodLooks } from "./looks.ts";
import { authorizeAddress, register, startApp, startCallback, verifier } from "./oauth-apps.ts";
import { awaitScripts, fillSignUp, signIn, signUp } from "./people.ts";

test("a person signs in, grants an app the chosen access, and returns to the app", async ({
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

test("a person is sent to an app that the system opens by its scheme", async ({ page }) => {
  await signUp(page);
  const address = "cursor://anysphere.cursor-mcp/oauth/callback";
  const clientId = await register(page, address);
  const session = await page.context().newCDPSession(page);
  await session.send("Page.enable");
  // The browser passes such an address to the operating system, and stays on the page.
  const opened = new Promise<URL>((found) => {
    session.on("Page.frameRequestedNavigation", ({ url }) => {
      if (url.startsWith(address)) found(new URL(url));
    });
  });
  await page.goto(authorizeAddress(clientId, address));
  await expect(page.getByText("an app on this computer")).toBeVisible();
  await page.getByRole("button", { name: "Allow" }).click();
  const { searchParams } = await opened;
  expect([searchParams.get("state"), searchParams.has("code")]).toEqual(["a-state", true]);
});

test.describe("an app on the web", () => {
  // The server has the test's own certificate.
  test.use({ ignoreHTTPSErrors: true });

  test("a person is back on the app's page, whose host they have seen", async ({ page }) => {
    await signUp(page);
    const host = createHttpsServer({ cert: CERT, key: KEY }, (_, answer) => answer.end("Back"));
    await new Promise<void>((done) => host.listen(0, "127.0.0.1", done));
    const authority = `localhost:${portOf(host)}`;
    const address = `https://${authority}/callback`;
    await page.goto(authorizeAddress(await register(page, address), address));
    await expect(page.getByText(authority)).toBeVisible();
    await page.getByRole("button", { name: "Allow" }).click();
    await page.waitForURL(`${address}?**`);
    expect(new URL(page.url()).searchParams.get("state")).toBe("a-state");
    host.close();
  });
});

test("a person's last choice for an app is offered again", async ({ page }) => {
  await signUp(page);
  const app = await startApp(page);
  await page.goto(app.authorize);
  await page.getByLabel("Spending limit").fill("25");
  await page.getByLabel("Requests").fill("");
  await page.getByLabel("Until").selectOption("7 days");
  await page.getByRole("button", { name: "Allow" }).click();
  await page.waitForURL(`${app.origin}/callback?**`);
  const form = {
    grant_type: "authorization_code",
    code: String(new URL(page.url()).searchParams.get("code")),
    client_id: app.client_id,
    redirect_uri: `${app.origin}/callback`,
    code_verifier: verifier,
  };
  expect((await page.request.post("/oauth/token", { form })).status()).toBe(200);
  await page.goto(app.authorize);
  await expect(page.getByLabel("Spending limit")).toHaveValue("25");
  await expect(page.getByLabel("Requests")).toHaveValue("");
  await expect(page.getByLabel("Until")).toHaveValue("7");
  app.close();
});

test("a person cancels, and the app learns of it", async ({ page }) => {
  await signUp(page);
  const app = await startApp(page);
  await page.goto(app.authorize);
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.waitForURL(`${app.origin}/callback?**`);
  expect(new URL(page.url()).searchParams.get("error")).toBe("access_denied");
  app.close();
});

test("a person enters a program's code, compares it, and grants the chosen access", async ({
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
  await expect(visitor.getByText("Requested", { exact: true })).toBeVisible();
  await expectGoodLooks(visitor);
  await visitor.getByRole("checkbox", { name: "api_keys:manage" }).uncheck();
  await visitor.getByRole("button", { name: "Allow" }).click();
  await expect(visitor.getByRole("heading", { name: "Command line is connected" })).toBeVisible();
  // Polls as a program does, which has to wait five seconds between polls.
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

test("no page shows the consent page in a frame, and it names no address to others", async ({ page }) => {
  await signUp(page);
  const consent = await page.request.get("/oauth/consent");
  expect(consent.headers()["content-security-policy"]).toContain("frame-ancestors 'none'");
  expect(consent.headers()["referrer-policy"]).toBe("no-referrer");
});

test("a newcomer signs up in an app's popup, which finds its opener again", async ({ page, baseURL }) => {
  const app = await startApp(page);
  await page.goto(app.origin);
  const opened = page.waitForEvent("popup");
  const address = new URL(app.authorize, baseURL).href;
  await page.evaluate((url) => void window.open(url, "sign-in", "width=480,height=700"), address);
  const popup = await opened;
  await popup.getByRole("link", { name: "Create an account" }).click();
  await fillSignUp(popup);
  await popup.getByRole("button", { name: "Allow" }).click();
  await popup.waitForURL(`${app.origin}/callback?**`);
  expect(await popup.evaluate(() => window.opener !== null)).toBe(true);
  app.close();
});

const fontSize = (locator: Locator) =>
  locator.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));

test("an app's own name is smaller than the host that vouches for it, or than the notice that none does", async ({
  page,
}) => {
  await signUp(page);
  const host = createHttpsServer({ cert: CERT, key: KEY }, (_, answer) => {
    const document = { client_id, client_name: "Notes", redirect_uris: ["http://127.0.0.1/callback"] };
    answer.end(JSON.stringify(document));
  });
  await new Promise<void>((done) => host.listen(0, "127.0.0.1", done));
  const authority = `localhost:${portOf(host)}`;
  const client_id = `https://${authority}/client.json`;
  for (const [documentUrl, vouched] of [
    [client_id, authority],
    [undefined, "Unverified app"],
  ] as const) {
    const app = await startApp(page, documentUrl);
    await page.goto(app.authorize);
    const name = page.getByRole("heading", { name: "Connect Notes?" });
    const large = await fontSize(page.getByText(vouched, { exact: true }));
    expect(large).toBeGreaterThan(await fontSize(name));
    await expectGoodLooks(page);
    app.close();
  }
  host.close();
});

test("Allow does nothing before the page has been in front for half a second", async ({ page }) => {
  await signUp(page);
  const app = await startApp(page);
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1000);
  await page.goto(app.authorize);
  // The half second begins with the page's scripts.
  await awaitScripts(page);
  const allow = page.getByRole("button", { name: "Allow" });
  for (const becomeInFront of [
    async () => undefined,
    () => page.evaluate(() => void window.dispatchEvent(new Event("focus"))),
  ]) {
    await becomeInFront();
    await expect(allow).toBeDisabled();
    await page.clock.runFor(499);
    await expect(allow).toBeDisabled();
    await page.clock.runFor(1);
    await expect(allow).toBeEnabled();
  }
  app.close();
});

for (const name of ["2025-11-25", "2026-07-28", "sdk 1.32.2"] as const)
  test(`a stock client of ${name} needs one consent and three clicks from an address to its first call`, async ({
    page,
    browser,
    baseURL,
  }) => {
    const { email } = await signUp(page);
    const context = await browser.newContext();
    const visitor = await context.newPage();
    // The person's first click is on the host's own button, "Connect".
    let clicks = 1;
    await context.exposeFunction("countClick", () => {
      clicks += 1;
    });
    await context.addInitScript("addEventListener('click', () => countClick(), true)");
    const callback = await startCallback();
    const { provider, asked, visits } = makeHost(`${callback.origin}/callback`);
    const { Unauthorized, open } = STOCK_CLIENTS[name];
    const first = open(new URL("/mcp", baseURL), provider);
    expect(await first.connect().catch((reason) => reason)).toBeInstanceOf(Unauthorized);
    await visitor.goto(asked().href);
    await signIn(visitor, email);
    await visitor.getByRole("button", { name: "Allow" }).click();
    await visitor.waitForURL(`${callback.origin}/callback?**`);
    await first.finish(new URL(visitor.url()).searchParams);
    const { client, connect } = open(new URL("/mcp", baseURL), provider);
    await connect();
    const { isError = false } = await client.callTool({ name: "projects_list", arguments: {} });
    expect([isError, visits(), clicks]).toEqual([false, 1, 3]);
    await client.close();
    callback.close();
    await context.close();
  });

test("no OpenID configuration is served, so that clients read the OAuth metadata", async ({ request }) => {
  expect((await request.get("/.well-known/oauth-authorization-server")).status()).toBe(200);
  expect((await request.get("/.well-known/openid-configuration")).status()).toBe(404);
});
