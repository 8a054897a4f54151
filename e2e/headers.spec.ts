import { expect, type Page, test } from "@playwright/test";
import { signUp } from "./people.ts";

async function headersOf(page: Page, path: string) {
  const answer = await page.goto(path);
  return answer?.headers() ?? {};
}

test("pages run only their own scripts, can't be framed, send no referrer, and are not cached", async ({
  page,
}) => {
  const headers = [await headersOf(page, "/sign-in")];
  await signUp(page);
  for (const path of ["/", "/security", "/api-keys", "/nothing-here"])
    headers.push(await headersOf(page, path));
  const nonces = headers.map((sent) => {
    const policy = sent["content-security-policy"] ?? "";
    for (const directive of [
      "default-src 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ])
      expect(policy.split("; ")).toContain(directive);
    expect(policy).not.toContain("unsafe-eval");
    expect(sent).toMatchObject({
      "x-frame-options": "DENY",
      "x-content-type-options": "nosniff",
      "referrer-policy": "same-origin",
      "cache-control": expect.stringContaining("no-store"),
    });
    return /script-src 'nonce-([^']+)' 'strict-dynamic'(;|$)/.exec(policy)?.[1];
  });
  expect(nonces).not.toContain(undefined);
  expect(new Set(nonces).size).toBe(nonces.length);
});

test("responses of the console and the API are not cached", async ({ page }) => {
  await signUp(page);
  for (const path of ["/api/trpc/me.read?input=%7B%7D", "/api/auth/csrf", "/v1/projects"])
    expect((await page.request.get(path)).headers()["cache-control"]).toContain("no-store");
});

test("each page has one description for search engines", async ({ page }) => {
  const description = page.locator('meta[name="description"]');
  for (const path of ["/sign-in", "/sign-up", "/forgot-password", "/docs"]) {
    await page.goto(path);
    await expect(description, path).toHaveAttribute("content", /\S/);
  }
  await signUp(page, "/approvals");
  await expect(description).toHaveAttribute("content", /\S/);
});
