import { sql } from "drizzle-orm";
import { integer, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import {
  accountId,
  assignment,
  bytes,
  createdAt,
  instant,
  type JsonObject,
  searchIndexes,
  typeId,
} from "../columns.ts";

/** A credential for outside systems: used for the hosts it is bound to, never shown. */
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
    status: text({ enum: ["active", "disabled", "broken"] }).notNull(),
    /** Sealed for account, connection and version: see server/connections/secrets.ts. */
    secret: bytes().notNull(),
    secretFingerprint: text().notNull(),
    secretVersion: integer().notNull().default(1),
    rotatedAt: instant(),
    expiresAt: instant(),
    lastUsedAt: instant(),
    lastError: jsonb().$type<{ code: string; message: string; at: string }>(),
    /** Since when it has not worked: set when it breaks, cleared by the first use that works again. */
    brokenAt: instant(),
    /** Digests of the addresses that have refused the secret since it was last taken, in order. */
    refusals: text().array().notNull().default(sql`'{}'`),
    /** The OAuth2 access token that is in use, sealed; each fetch raises the generation. */
    token: bytes(),
    tokenExpiresAt: instant(),
    tokenGeneration: integer().notNull().default(0),
    /** Until when one of the processes is fetching a token, and the others wait for it. */
    tokenLeaseUntil: instant(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    ...searchIndexes("connections_label", table.accountId, table.label),
  ],
);
