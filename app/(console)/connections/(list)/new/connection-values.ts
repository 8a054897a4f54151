import type { Connection } from "#server/connections/schema.ts";

/** The values of the form of a new connection. */
export interface ConnectionValues {
  label: string;
  provider: string;
  authType: string;
  headerName: string;
  username: string;
  clientId: string;
  tokenUrl: string;
  tokenScopes: string[];
  secret: string;
  allowedHosts: string[];
  expiresAt: string | null;
  metadata: Record<string, string>;
}

/** The initial values of the form. */
export const emptyConnection: ConnectionValues = {
  label: "",
  provider: "",
  authType: "api_key",
  headerName: "",
  username: "",
  clientId: "",
  tokenUrl: "",
  tokenScopes: [],
  secret: "",
  allowedHosts: [],
  expiresAt: null,
  metadata: {},
};

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
