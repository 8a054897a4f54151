import { z } from "zod";
import { exampleId, instant, label, metadata, sentInstant, typeId } from "#server/operation/fields.ts";
import { CONNECTION_STATUSES } from "./statuses.ts";

const AUTH_TYPES = ["api_key", "bearer", "basic", "oauth2_client"] as const;

const authType = z.enum(AUTH_TYPES).meta({
  id: "ConnectionAuthType",
  description:
    "How the secret is sent: in a header of its own (`api_key`), as a bearer token, as the password of basic authentication, or as the client secret of OAuth 2.0 client credentials.",
});
const provider = z
  .string()
  .regex(/\S/, "Send at least one character that is not white space.")
  .max(200)
  .meta({
    description: "The outside system that the connection is for, in your own words.",
    examples: ["github"],
  });
const allowedHosts = z
  .array(z.string().min(1).max(300))
  .min(1)
  .max(50)
  .meta({
    description:
      "The hosts that the secret may be sent to: `host` (any port), `host:port`, or `*.domain.tld` for every host below a domain.",
    examples: [["api.example.com"]],
  });
const headerName = z
  .string()
  .max(100)
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, "Not a valid header name: send letters, digits and hyphens.")
  .meta({ description: "The header that carries the secret.", examples: ["X-API-Key"] });
const username = z
  .string()
  .max(500)
  .regex(/^[ -9;-~\u00a0-\uffff]*$/, "Send it without colons and control characters.")
  .meta({ description: "The user name for basic authentication.", examples: ["robot"] });
const clientId = z
  .string()
  .min(1)
  .max(500)
  .regex(/^[\x20-\x7e]+$/, "Send printable ASCII characters only.")
  .meta({ description: "The OAuth 2.0 client's id.", examples: ["backend"] });
const tokenUrl = z
  .url()
  .max(2000)
  .meta({
    description:
      "The address that access tokens are fetched from (RFC 6749, 4.4). Its host must be in `allowedHosts`.",
    examples: ["https://auth.example.com/oauth/token"],
  });
const tokenScopes = z
  .array(
    z
      .string()
      .max(200)
      .regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, "Not a valid OAuth 2.0 scope."),
  )
  .max(50)
  .meta({ description: "The OAuth 2.0 scopes to request.", examples: [["orders.read"]] });
const secret = z
  .string()
  .min(1)
  .max(8000)
  .regex(/^[ -~\u00a0-\uffff]+$/, "Send it without line breaks and other control characters.")
  .meta({
    description: "The key, token, password or client secret. Stored sealed; never shown again.",
    examples: ["s3cr3t-of-the-outside-system"],
  });
const status = z.enum(CONNECTION_STATUSES).meta({
  id: "ConnectionStatus",
  description: "The status. `broken`: the outside system refuses the secret; send another one.",
});

export const Connection = z
  .object({
    id: typeId("connection"),
    label: z.string().describe("A name for people."),
    provider,
    authType,
    allowedHosts,
    headerName: headerName.nullable(),
    username: username.nullable(),
    clientId: clientId.nullable(),
    tokenUrl: tokenUrl.nullable(),
    tokenScopes: tokenScopes.nullable(),
    status,
    secretFingerprint: z.string().meta({
      description: "A digest that is equal for equal secrets and does not reveal them.",
      examples: ["5f2a9c01d4e7b863"],
    }),
    secretVersion: z.int().describe("The version of the secret: 1 at first, incremented by every rotation."),
    rotatedAt: instant.nullable().describe("When the secret was last replaced."),
    expiresAt: instant.nullable().describe("When the connection expires; null if it does not."),
    lastUsedAt: instant.nullable().describe("When the secret was last sent; null if never."),
    lastError: z
      .object({
        code: z.string().describe("Machine-readable reason of the failure."),
        message: z.string().describe("Human-readable reason of the failure."),
        at: instant,
      })
      .nullable()
      .describe("Why the last use failed; null if it succeeded."),
    metadata,
    projectId: typeId("project").nullable(),
    endUser: z
      .string()
      .nullable()
      .describe("Your own id of the end user that the connection belongs to; null if none."),
    createdAt: instant,
  })
  .meta({
    id: "Connection",
    description: "A credential for an outside system, bound to hosts. It can be used and is never shown.",
    examples: [
      {
        id: exampleId("connection"),
        label: "Orders API",
        provider: "orders",
        authType: "api_key",
        allowedHosts: ["api.example.com"],
        headerName: "X-API-Key",
        username: null,
        clientId: null,
        tokenUrl: null,
        tokenScopes: null,
        status: "active",
        secretFingerprint: "5f2a9c01d4e7b863",
        secretVersion: 1,
        rotatedAt: null,
        expiresAt: null,
        lastUsedAt: "2027-01-31T14:05:09.120Z",
        lastError: null,
        metadata: {},
        projectId: null,
        endUser: null,
        createdAt: "2027-01-31T12:00:00.000Z",
      },
    ],
  });

export type Connection = z.output<typeof Connection>;

export const ConnectionParams = z.object({ connectionId: typeId("connection") });

export const CreateConnection = z.object({
  label: label.describe("A name for people, 1 to 200 characters."),
  provider,
  authType,
  secret,
  allowedHosts,
  headerName: headerName.optional().describe("With `api_key` only; by default `X-API-Key`."),
  username: username.optional().describe("Required with `basic`; not allowed with other auth types."),
  clientId: clientId.optional().describe("Required with `oauth2_client`; not allowed with other auth types."),
  tokenUrl: tokenUrl.optional(),
  tokenScopes: tokenScopes.optional(),
  expiresAt: sentInstant.optional().describe("When the connection expires. By default it does not."),
  metadata: metadata.optional(),
});

export type NewConnection = z.output<typeof CreateConnection>;

export const UpdateConnection = z.object({
  label: label.optional().describe("A name for people, 1 to 200 characters."),
  secret: secret.optional(),
  allowedHosts: allowedHosts
    .optional()
    .describe("Replaces the hosts. Adding hosts requires `secret` in the same request."),
  tokenUrl: tokenUrl.optional().describe("Changing the address requires `secret` in the same request."),
  status: z
    .enum(["active", "disabled"])
    .optional()
    .describe("`disabled` blocks every use; `active` allows uses again, also of a broken connection."),
  expiresAt: sentInstant.nullable().optional().describe("When the connection expires; null: never."),
  metadata: metadata.nullable().optional().describe("Replaces the metadata; null clears it."),
});

export type ConnectionChanges = z.output<typeof UpdateConnection>;
