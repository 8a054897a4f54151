import { randomInt } from "node:crypto";
import { oauthRequests } from "#db/schema/oauth.ts";
import { currentMs } from "#server/base/clock.ts";
import { newId } from "#server/base/ids.ts";
import { randomText, secretHash } from "#server/keys/secrets.ts";
import { CLI } from "#server/operation/scopes.ts";
import { takeTry } from "#server/operation/throttle.ts";
import { platform } from "#server/platform.ts";
import { scopesAsked } from "./app-scopes.ts";
import { authenticateClient } from "./clients.ts";
import { readForm } from "./form.ts";
import { OAuthError } from "./oauth-error.ts";
import { json, oauthRoute } from "./oauth-route.ts";
import { resourcePath } from "./resources.ts";

const DEVICE_SECONDS = 900;
const POLL_SECONDS = 5;
/** Consonants only, so that no code is a word. */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";
const CODE_LENGTH = 8;

/** `/oauth/device`: the command line requests access, and a code for its user to enter (RFC 8628, 3.1). */
export const authorizeDevice = oauthRoute("POST", "/oauth/device", async (request, from) => {
  const parameters = await readForm(request);
  const clientId = await authenticateClient(request, parameters);
  if (clientId !== CLI)
    throw new OAuthError("unauthorized_client", "This app sends its person to /oauth/authorize.");
  const resource = resourcePath(parameters.get("resource"), "/v1");
  if (resource === null)
    throw new OAuthError("invalid_target", "The resource is not one of this platform's.");
  const scopes = scopesAsked(parameters.get("scope"), clientId);
  if (!scopes) throw new OAuthError("invalid_scope", "None of the scopes is known.");
  await takeTry("authorization", from.ip);
  const {
    baseUrl,
    oauth: { pollSeconds = POLL_SECONDS },
  } = platform().settings;
  const deviceCode = randomText();
  const userCode = await store({
    // Any program can use this name, so no host is shown for it.
    app: { id: clientId, name: "Command line", host: null },
    scopes,
    resource,
    deviceHash: secretHash(deviceCode),
    pollSeconds,
    ip: from.ip,
    userAgent: from.userAgent,
    expiresAt: new Date(currentMs() + DEVICE_SECONDS * 1000),
  });
  return json({
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: `${baseUrl}/device`,
    verification_uri_complete: `${baseUrl}/device?code=${userCode}`,
    expires_in: DEVICE_SECONDS,
    interval: pollSeconds,
  });
});

/** Inserts the request under a unique user code, and returns that code. */
async function store(request: Omit<typeof oauthRequests.$inferInsert, "id">): Promise<string> {
  for (;;) {
    const letters = Array.from({ length: CODE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join("");
    const stored = await platform()
      .database.db.insert(oauthRequests)
      .values({ ...request, id: newId("appRequest"), userCodeHash: secretHash(letters) })
      .onConflictDoNothing({ target: oauthRequests.userCodeHash })
      .returning({ id: oauthRequests.id });
    if (stored.length > 0) return `${letters.slice(0, 4)}-${letters.slice(4)}`;
  }
}

/** Returns the letters of a user code as typed: in either case, with any separators. */
export function lettersOf(typed: string): string {
  return typed.toUpperCase().replace(/[^A-Z]/g, "");
}
