import { platform } from "#server/platform.ts";

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);
/** What an app asks for that does not know what it will need. */
export const FIRST_SCOPES = [
  "services:read",
  "projects:read",
  "runs:read",
  "files:read",
  "artifacts:read",
  "usage:read",
  "credits:read",
] as const;

/** Whether apps can sign in by OAuth: where the platform is reached over https, or on this machine. */
export function hasOAuth(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === "https:" || LOOPBACK.has(hostname);
}

/** The address of the document that says where to get access to `/mcp` or `/v1` (RFC 9728). */
export function resourceMetadata(path: string): string {
  return `${platform().settings.baseUrl}/.well-known/oauth-protected-resource${path}`;
}

/** `WWW-Authenticate` of a 401 below a path of the API: where and how to get a token. */
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

/** Writes a challenge; no value has a quote or a backslash. */
export function bearer(parameters: Record<string, string>): string {
  const written = Object.entries(parameters).map(([name, value]) => `${name}="${value}"`);
  return `Bearer ${written.join(", ")}`;
}
