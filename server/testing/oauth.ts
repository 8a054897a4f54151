import * as oauth from "oauth4webapi";
import { defined } from "#server/base/defined.ts";
import { freePort } from "#server/boot/processes.ts";
import type { Settings } from "#server/platform.ts";
import { startApi } from "./api.ts";
import type { signUpAndIn } from "./console.ts";

type Person = Pick<Awaited<ReturnType<typeof signUpAndIn>>, "mutate" | "query">;

type ExpectedState = string | typeof oauth.expectNoState;

export const CALLBACK = "http://127.0.0.1/callback";
/** The defaults of the consent page. */
export const CHOICE = {
  scopes: ["services:read", "projects:read"],
  allowedServices: null,
  projectId: null,
  creditsPerDay: 1000,
  requestsPerMinute: 600,
  days: 90,
};
const plain = { [oauth.allowInsecureRequests]: true };

/** Starts the platform at its public address, where apps can sign in. */
export async function startOAuthApi(
  settings: Partial<Settings> = {},
  options: Omit<NonNullable<Parameters<typeof startApi>[0]>, "settings"> = {},
) {
  const port = await freePort();
  return startApi({ ...options, settings: { baseUrl: `http://127.0.0.1:${port}`, ...settings } });
}

/** Returns an app with a strict client, which has discovered the platform and registered itself. */
export async function connectApp(
  api: { origin: string },
  { scope, resource = "/mcp" }: { scope?: string; resource?: string } = {},
) {
  const issuer = new URL(api.origin);
  const found = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...plain });
  const server = await oauth.processDiscoveryResponse(issuer, found);
  const metadata = { client_name: "Notes", redirect_uris: [CALLBACK], token_endpoint_auth_method: "none" };
  const registered = await oauth.dynamicClientRegistrationRequest(server, metadata, plain);
  const client = await oauth.processDynamicClientRegistrationResponse(registered);
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();

  async function addressToAsk(changed: Record<string, string | null> = {}) {
    const parameters = {
      response_type: "code",
      client_id: client.client_id,
      redirect_uri: CALLBACK,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      state,
      scope: scope ?? "projects:read",
      resource: api.origin + resource,
      ...changed,
    };
    const sent = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== null);
    return `${server.authorization_endpoint}?${new URLSearchParams(sent)}`;
  }

  /** Follows the browser's first step; returns the address of the redirect. */
  async function ask(changed: Record<string, string | null> = {}): Promise<URL> {
    const answer = await fetch(await addressToAsk(changed), { redirect: "manual" });
    if (answer.status !== 303) throw new Error(`${answer.status}: ${await answer.text()}`);
    return new URL(defined(answer.headers.get("location")));
  }

  /** Has a person allow the access; returns the app's own address with the code. */
  async function allow(
    person: Person,
    choice: Record<string, unknown> = {},
    changed: Record<string, string | null> = {},
  ): Promise<URL> {
    const requestId = (await ask(changed)).searchParams.get("request");
    const allowed = await person.mutate("apps.allow", { requestId, ...CHOICE, ...choice });
    if (allowed.status !== 200) throw new Error(JSON.stringify(allowed.error));
    return new URL(allowed.data.redirectTo);
  }

  /** Exchanges a code like the strict client, which checks `iss` and `state`. */
  async function redeem(
    address: URL,
    { expectedState = state, ...named }: { expectedState?: ExpectedState; resource?: string } = {},
  ) {
    const parameters = oauth.validateAuthResponse(server, client, address, expectedState);
    const answer = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      parameters,
      CALLBACK,
      verifier,
      { ...plain, additionalParameters: named },
    );
    return oauth.processAuthorizationCodeResponse(server, client, answer);
  }

  async function refresh(refreshToken: string, named: { resource?: string } = {}) {
    const answer = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), refreshToken, {
      ...plain,
      additionalParameters: named,
    });
    return oauth.processRefreshTokenResponse(server, client, answer);
  }

  async function revoke(token: string) {
    const answer = await oauth.revocationRequest(server, client, oauth.None(), token, plain);
    return oauth.processRevocationResponse(answer);
  }

  return { server, client, verifier, state, addressToAsk, ask, allow, redeem, refresh, revoke };
}

/** Sends a form to an address of the platform. */
export async function postForm(
  api: { origin: string },
  path: string,
  fields: Record<string, string> | string[][],
  headers = {},
) {
  const answer = await fetch(api.origin + path, {
    method: "POST",
    headers,
    body: new URLSearchParams(fields as string[][]),
  });
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
}

/** Sends the command line's request for access, and its polls. */
export async function askByDevice(api: { origin: string }, fields: Record<string, string> = {}) {
  const asked = await postForm(api, "/oauth/device", { client_id: "cli", ...fields });
  if (asked.status !== 200) throw new Error(JSON.stringify(asked.body));
  const poll = () =>
    postForm(api, "/oauth/token", {
      grant_type: "urn:ietf:params:oauth:grant-type:device_code",
      client_id: "cli",
      device_code: asked.body.device_code,
    });

  /** Has a person enter the code and allow the access. */
  async function allow(person: Person, choice: Record<string, unknown> = {}) {
    const { data } = await person.mutate("apps.devices.read", { userCode: asked.body.user_code });
    return person.mutate("apps.allow", { requestId: data.request.id, ...CHOICE, ...choice });
  }
  return { asked: asked.body, poll, allow };
}
