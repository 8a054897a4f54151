import type { Connection } from "#server/connections/schema.ts";

/** The authentication types in the console's words. */
export const authTypes: { value: Connection["authType"]; label: string }[] = [
  { value: "api_key", label: "A header of its own" },
  { value: "bearer", label: "A bearer token" },
  { value: "basic", label: "Basic authentication" },
  { value: "oauth2_client", label: "OAuth 2.0 client credentials" },
];

/** The same in short, for a table. */
export const shortAuthTypes: Record<Connection["authType"], string> = {
  api_key: "Header",
  bearer: "Bearer token",
  basic: "Basic",
  oauth2_client: "OAuth 2.0",
};
