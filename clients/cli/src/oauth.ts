import { setTimeout as sleep } from "node:timers/promises";
import { Platform, PlatformError } from "../../typescript/src/index.ts";
import type { Profile } from "./credentials.ts";
import { messageOf, NotSignedInError, UsageError } from "./failure.ts";

const CLIENT = "cli";
const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";
const TIMEOUT_MS = 20_000;
const SLOWER_SECONDS = 5;

/** The endpoints at which an installation signs programs in (RFC 8414). */
interface Server {
  device_authorization_endpoint: string;
  token_endpoint: string;
  revocation_endpoint: string;
}

interface Tokens {
  access_token: string;
  refresh_token: string;
  expires_in: number;
  scope: string;
}

/** The code and addresses with which a person signs in in their browser. */
export interface DeviceCodes {
  device_code: string;
  user_code: string;
  verification_uri: string;
  verification_uri_complete: string;
  expires_in: number;
  interval: number;
}

/** A refusal of the authorization server. */
export class OAuthRefusal extends PlatformError {
  readonly code: string;

  constructor(code: string, description: string) {
    super(description);
    this.code = code;
  }
}

/** The name of this program. */
export const USER_AGENT = `msp (${process.platform}; Node.js ${process.versions.node})`;

/** Returns an installation's address without `/v1`; refuses addresses without TLS, which would expose credentials. */
export function rootOf(baseUrl: string): string {
  try {
    return (new Platform({ baseUrl }).toJSON() as { baseUrl: string }).baseUrl.replace(/\/v1$/, "");
  } catch (error) {
    throw new UsageError(`${baseUrl}: ${messageOf(error)}`);
  }
}

interface Refused {
  error?: unknown;
  error_description?: unknown;
}

/** Returns the body of a response that its status says is a `Body`; throws for any other. */
async function send<Body>(url: string, form?: Record<string, string>): Promise<Body> {
  const response = await fetch(url, {
    headers: { "user-agent": USER_AGENT },
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(form && { method: "POST", body: new URLSearchParams(form) }),
  }).catch((cause) => {
    throw new PlatformError(`No answer from ${url}.`, { cause });
  });
  const body = (await response.json().catch(() => null)) as (Body & Refused) | null;
  if (response.ok && body) return body;
  if (typeof body?.error === "string")
    throw new OAuthRefusal(body.error, String(body.error_description ?? body.error));
  if (response.status === 404) throw new OAuthRefusal("not_found", `${url} is not there.`);
  throw new PlatformError(`${url} answered ${response.status}.`);
}

/** Reads the sign-in endpoints of an installation. */
async function discover(root: string): Promise<Server> {
  const server = await send<Server & { issuer?: unknown }>(
    `${root}/.well-known/oauth-authorization-server`,
  ).catch((error) => {
    if (!(error instanceof OAuthRefusal)) throw error;
    throw new UsageError(
      `${root} has no sign-in for programs: it is no such platform, or not reached by https. Set PLATFORM_API_KEY instead.`,
    );
  });
  const addresses = [server.device_authorization_endpoint, server.token_endpoint, server.revocation_endpoint];
  const { origin } = new URL(root);
  const areOurs = addresses.every(
    (one) => typeof one === "string" && URL.canParse(one) && new URL(one).origin === origin,
  );
  // The metadata must not direct codes and tokens to another server.
  if (server.issuer !== root || !areOurs)
    throw new UsageError(`${root} calls itself ${String(server.issuer)}. Use that address.`);
  return server;
}

/** Signs a program in: `show` shows the code to the person, who decides in their browser (RFC 8628). */
export async function signIn(
  root: string,
  scope: string | undefined,
  show: (codes: DeviceCodes) => void,
): Promise<Profile> {
  const server = await discover(root);
  const codes = await send<DeviceCodes>(server.device_authorization_endpoint, {
    client_id: CLIENT,
    resource: `${root}/v1`,
    ...(scope && { scope }),
  });
  show(codes);
  const form = { grant_type: DEVICE_GRANT, client_id: CLIENT, device_code: codes.device_code };
  const until = Date.now() + codes.expires_in * 1000;
  for (let seconds = codes.interval; Date.now() < until; ) {
    await sleep(seconds * 1000);
    try {
      return profileOf(root, await send<Tokens>(server.token_endpoint, form));
    } catch (error) {
      const code = error instanceof OAuthRefusal ? error.code : null;
      if (code === "slow_down") seconds += SLOWER_SECONDS;
      else if (code === "access_denied") throw new NotSignedInError("You have refused. Nothing was allowed.");
      else if (code === "expired_token") break;
      else if (code !== null && code !== "authorization_pending" && code !== "temporarily_unavailable")
        throw error;
      // A connection that fails is retried until the code has expired.
    }
  }
  throw new NotSignedInError("The code has expired. Run msp login again.");
}

function profileOf(baseUrl: string, tokens: Tokens): Profile {
  return {
    baseUrl,
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token,
    expiresAt: new Date(Date.now() + tokens.expires_in * 1000).toISOString(),
    scope: tokens.scope,
  };
}

/** Returns a sign-in's new tokens. */
export async function refreshed(profile: Profile): Promise<Profile> {
  const form = { grant_type: "refresh_token", client_id: CLIENT, refresh_token: profile.refreshToken };
  try {
    const tokens = await send<Tokens>(`${profile.baseUrl}/oauth/token`, form);
    return { ...profile, ...profileOf(profile.baseUrl, tokens) };
  } catch (error) {
    if (!(error instanceof OAuthRefusal) || error.code !== "invalid_grant") throw error;
    throw new NotSignedInError(`The sign-in has ended: ${error.message} Run msp login.`);
  }
}

/** Revokes a sign-in at the platform. */
export async function revoke({ baseUrl, refreshToken }: Profile): Promise<void> {
  await send(`${baseUrl}/oauth/revoke`, { client_id: CLIENT, token: refreshToken });
}
