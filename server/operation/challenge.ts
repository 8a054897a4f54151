import { platform } from "#server/platform.ts";

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);
/** The scopes suggested to an app that does not know yet which it will need. */
export const FIRST_SCOPES = [
  "services:read",
  "projects:read",
  "runs:read",
  "files:read",
  "artifacts:read",
  "usage:read",
  "credits:read",
] as const;

/** True if apps can sign in by OAuth: the platform is reached over https, or at a loopback address. */
export function hasOAuth(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === "https:" || LOOPBACK.has(hostname);
}

/** Returns the address of the metadata that names the authorisation server for `/mcp` or `/v1` (RFC 9728). */
export function resourceMetadata(path: string): string {
  return `${platform().settings.baseUrl}/.well-known/oauth-protected-resource${path}`;
}

/** Returns the `WWW-Authenticate` value of a 401 below a path of the API: where and how to get a token. */
export function challengeFor(address: string, sentCredential: boolean): string {
  const path = `/${new URL(address).pathname.split("/")[1]}`;
  if (!hasOAuth(platform().settings.baseUrl) || (path !== "/mcp" && path !== "/v1")) return "Bearer";
  const parameters = {
    ...(sentCredential && {
      error: "invalid_token",
      error_description: "The credential is unknown, has expired or was revoked.",
    }),
    resource_metadata: resourceMetadata(path),
    scope: FIRST_SCOPES.join(" "),
  };
  return bearer(parameters);
}

/** Formats a `Bearer` challenge; the values must contain no quotation mark and no backslash. */
export function bearer(parameters: Record<string, string>): string {
  const written = Object.entries(parameters).map(([name, value]) => `${name}="${value}"`);
  return `Bearer ${written.join(", ")}`;
}
