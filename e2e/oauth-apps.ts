import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { Page } from "@playwright/test";
import { portOf } from "../server/boot/processes.ts";

/** The PKCE verifier whose digest each app sends. */
export const verifier = randomBytes(32).toString("base64url");

/** Starts the callback server of a program on this computer, to which its browser returns. */
export async function startCallback() {
  const server = createServer((_, answer) =>
    answer.setHeader("content-type", "text/html").end("<title>Back</title>Back"),
  );
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return { origin: `http://127.0.0.1:${portOf(server)}`, close: () => server.close() };
}

/** Registers an app with this redirect address; returns its client id. */
export async function register(page: Page, redirectUri = "http://127.0.0.1/callback"): Promise<string> {
  const registration = {
    client_name: "Notes",
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: "none",
  };
  const registered = await page.request.post("/oauth/register", { data: registration });
  return (await registered.json()).client_id;
}

/** Starts a program on this computer that waits for the browser; by default it registers itself. */
export async function startApp(page: Page, documentUrl?: string) {
  const { origin, close } = await startCallback();
  const client_id = documentUrl ?? (await register(page));
  return { origin, client_id, authorize: authorizeAddress(client_id, `${origin}/callback`), close };
}

/** Returns the address to which an app sends a person's browser. */
export function authorizeAddress(client_id: string, redirect_uri: string): string {
  const parameters = new URLSearchParams({
    response_type: "code",
    client_id,
    redirect_uri,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    state: "a-state",
    scope: "projects:read files:read services:invoke",
  });
  return `/oauth/authorize?${parameters}`;
}
