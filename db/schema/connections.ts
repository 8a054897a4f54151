import { sql } from "drizzle-orm";
import { index, integer, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { CONNECTION_STATUSES } from "#server/connections/statuses.ts";
import {
  accountId,
  assignment,
  bytes,
  createdAt,
  endUserIndex,
  idPartsIndex,
  instant,
  type JsonObject,
  searchIndexes,
  typeId,
} from "../columns.ts";

/** A credential for outside systems, used only for the hosts it is bound to and never shown. */
export const connections = pgTable(
  "connections",
  {
    accountId: accountId(),
    id: typeId("conn")().notNull(),
    ...assignment(),
    label: text().notNull(),
    provider: text().notNull(),
    authType: text({ enum: ["api_key", "bearer", "basic", "oauth2_client"] }).notNull(),
    allowedHosts: text().array().notNull(),
    headerName: text(),
    username: text(),
    clientId: text(),
    tokenUrl: text(),
    tokenScopes: text().array(),
    metadata: jsonb().$type<JsonObject>().notNull(),
    status: text({ enum: CONNECTION_STATUSES }).notNull(),
    /** Sealed for this account, connection and version: see server/connections/secrets.ts. */
    secret: bytes().notNull(),
    secretFingerprint: text().notNull(),
    secretVersion: integer().notNull().default(1),
    rotatedAt: instant(),
    expiresAt: instant(),
    lastUsedAt: instant(),
    lastError: jsonb().$type<{ code: string; message: string; at: string }>(),
    /** When the connection broke; cleared by the next successful use. */
    brokenAt: instant(),
    /** Digests of the addresses that have refused the secret since it was last accepted, in order. */
    refusals: text().array().notNull().default(sql`'{}'`),
    /** The current OAuth2 access token, sealed; each fetch increments the generation. */
    token: bytes(),
    tokenExpiresAt: instant(),
    tokenGeneration: integer().notNull().default(0),
    /** Lease of the process that fetches a token; other processes wait until then. */
    tokenLeaseUntil: instant(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    endUserIndex("connections", table),
    index("connections_status").on(table.accountId, table.status, table.id).concurrently(),
    index("connections_auth_type").on(table.accountId, table.authType, table.id).concurrently(),
    index("connections_provider_parts")
      .using("gin", table.accountId, table.provider.op("gin_trgm_ops"))
      .concurrently(),
    index("connections_hosts").using("gin", table.accountId, table.allowedHosts).concurrently(),
    idPartsIndex("connections", table.accountId, table.id),
    ...searchIndexes("connections_label", table.accountId, table.label),
  ],
);
