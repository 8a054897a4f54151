import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { accountId, bytes, createdAt, instant, typeId } from "../columns.ts";

/** An app that registered itself (RFC 7591). */
export const oauthClients = pgTable(
  "oauth_clients",
  {
    id: typeId("app")().primaryKey(),
    name: text().notNull(),
    redirectUris: text().array().notNull(),
    authMethod: text({ enum: ["none", "client_secret_basic", "client_secret_post"] }).notNull(),
    /** SHA-256 of the client secret; null for a public client. */
    secretHash: bytes(),
    /** True if anybody has ever granted it access. */
    granted: boolean().notNull().default(false),
    createdAt: createdAt(),
  },
  (table) => [index("oauth_clients_created_at").on(table.createdAt)],
);

/** An app's metadata document as last read (OAuth Client ID Metadata Document). */
export const oauthDocuments = pgTable(
  "oauth_documents",
  {
    url: text().primaryKey(),
    name: text().notNull(),
    redirectUris: text().array().notNull(),
    readAt: instant().notNull().defaultNow(),
    /** Until when the document need not be read again. */
    freshUntil: instant().notNull(),
  },
  (table) => [index("oauth_documents_read_at").on(table.readAt)],
);

/** The app as it was when it asked for access. */
export interface RequestingApp {
  /** `app_…`, or the URL of its document. */
  id: string;
  name: string;
  /** The host that publishes its document; null for an app that registered itself. */
  host: string | null;
}

/** The policy that a person chose for an app's key. */
export interface ChosenPolicy {
  scopes: string[];
  /** Null: no boundary. */
  allowedServices: string[] | null;
  projectId: string | null;
  creditsPerDay: number | null;
  requestsPerMinute: number | null;
  expiresAt: string;
}

/** An app's request for access, from the browser's arrival or the program's call until the code is redeemed. */
export const oauthRequests = pgTable(
  "oauth_requests",
  {
    id: typeId("areq")().primaryKey(),
    app: jsonb().$type<RequestingApp>().notNull(),
    /** Null for a program without a browser, which polls (RFC 8628). */
    redirectUri: text(),
    state: text(),
    /** The requested scopes that an app may have. */
    scopes: text().array().notNull(),
    /** `/mcp`, `/v1`, or empty for both. */
    resource: text().notNull(),
    codeChallenge: text(),
    /** SHA-256 of the code that the program polls with. */
    deviceHash: bytes(),
    /** SHA-256 of the code that the person enters. */
    userCodeHash: bytes(),
    polledAt: instant(),
    /** Seconds that the program has to wait between polls. */
    pollSeconds: integer(),
    ip: text(),
    userAgent: text(),
    createdAt: createdAt(),
    expiresAt: instant().notNull(),
    decision: text({ enum: ["allowed", "refused"] }),
    decidedAt: instant(),
    accountId: typeId("acct")(),
    memberId: typeId("mbr")(),
    policy: jsonb().$type<ChosenPolicy>(),
    /** SHA-256 of the code. */
    codeHash: bytes(),
    redeemedAt: instant(),
    keyId: typeId("key")(),
  },
  (table) => [
    index("oauth_requests_code").on(table.codeHash),
    uniqueIndex("oauth_requests_device").on(table.deviceHash),
    uniqueIndex("oauth_requests_user_code").on(table.userCodeHash),
    index("oauth_requests_expires_at").on(table.expiresAt),
  ],
);

/** An app's access to an account: a root key whose secrets are short-lived tokens. */
export const oauthGrants = pgTable(
  "oauth_grants",
  {
    accountId: accountId(),
    keyId: typeId("key")().notNull(),
    memberId: typeId("mbr")().notNull(),
    clientId: text().notNull(),
    clientName: text().notNull(),
    host: text(),
    /** `/mcp`, `/v1`, or empty for both. */
    resource: text().notNull(),
    /** Scopes that were requested and declined. */
    declined: text().array().notNull(),
    /** Incremented by each refresh. */
    generation: integer().notNull().default(0),
    rotatedAt: instant().notNull().defaultNow(),
    /** When the app was last challenged to request more access, and when the token that it used expires. */
    challengedAt: instant(),
    challengedUntil: instant(),
    /** True if the event for the end of access was emitted. */
    endEmitted: boolean("end_told").notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.keyId] }),
    index("oauth_grants_client").on(table.accountId, table.clientId),
    index("oauth_grants_member").on(table.accountId, table.memberId),
  ],
);

/** An access or refresh token of a grant. Used refresh tokens are kept, so that their reuse is detected. */
export const oauthTokens = pgTable(
  "oauth_tokens",
  {
    /** SHA-256 of the token. */
    hash: bytes().primaryKey(),
    accountId: accountId(),
    keyId: typeId("key")().notNull(),
    kind: text({ enum: ["access", "refresh"] }).notNull(),
    generation: integer().notNull(),
    expiresAt: instant().notNull(),
  },
  (table) => [
    index("oauth_tokens_key").on(table.accountId, table.keyId),
    index("oauth_tokens_expires_at").on(table.expiresAt),
  ],
);
