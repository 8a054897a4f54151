import type { Connection } from "#server/connections/schema.ts";

/** The initial values of the form of a new connection. */
export const emptyConnection = {
  label: "",
  provider: "",
  authType: "api_key" as string,
  headerName: "",
  username: "",
  clientId: "",
  tokenUrl: "",
  tokenScopes: [] as string[],
  secret: "",
  allowedHosts: [] as string[],
  expiresAt: null as string | null,
  metadata: {} as Record<string, string>,
};

export type ConnectionValues = typeof emptyConnection;

type Own = "headerName" | "username" | "clientId" | "tokenUrl" | "tokenScopes";

/** The fields that only one authentication type has. */
const ownFields: Record<Connection["authType"], readonly Own[]> = {
  api_key: ["headerName"],
  bearer: [],
  basic: ["username"],
  oauth2_client: ["clientId", "tokenUrl", "tokenScopes"],
};

/** Returns the body: without the fields of other authentication types, and without empty fields. */
export function bodyOf(values: ConnectionValues): Record<string, unknown> {
  const { headerName, username, clientId, tokenUrl, tokenScopes, ...common } = values;
  const own = { headerName, username, clientId, tokenUrl, tokenScopes };
  const kept = ownFields[values.authType as Connection["authType"]].map((name) => [name, own[name]] as const);
  return Object.fromEntries(
    [...Object.entries(common), ...kept].filter(
      ([, value]) => value !== "" && value !== null && !(Array.isArray(value) && value.length === 0),
    ),
  );
}
