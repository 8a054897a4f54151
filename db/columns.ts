import { type SQLWrapper, sql } from "drizzle-orm";
import {
  customType,
  type ExtraConfigColumn,
  index,
  integer,
  jsonb,
  text,
  timestamp,
  uuid,
} from "drizzle-orm/pg-core";
import type { z } from "zod";
import { fromTypeId, toTypeId } from "./typeid.ts";

/** A `uuid` column that the program sees as a TypeID with this prefix. Anything else is refused before it is sent. */
export function typeId<Prefix extends string>(prefix: Prefix) {
  return customType<{ data: string; driverData: string }>({
    dataType: () => "uuid",
    fromDriver: (value) => toTypeId(prefix, value),
    toDriver: (value) => {
      const uuid = fromTypeId(prefix, value);
      if (!uuid) throw new TypeError(`Not an id of kind ${prefix}.`);
      return uuid;
    },
  });
}

/** A moment with millisecond precision, as the wire shows it. */
export const instant = () => timestamp({ withTimezone: true, precision: 3, mode: "date" });

/** When the row was made: the time inside its UUIDv7 `id`, so that ordering by id is ordering by (createdAt, id). */
export const createdAt = () => instant().notNull().generatedAlwaysAs(sql`uuid_extract_timestamp(id)`);

export const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => "bytea" });

/** A predicate of SQL/JSON; the database refuses what is none. */
export const jsonpath = customType<{ data: string; driverData: string }>({ dataType: () => "jsonpath" });

/** The account that a row belongs to: first in every key of a tenant's table. */
export const accountId = () => typeId("acct")().notNull();

/** What a tenant's thing is assigned to besides its account, if anything. */
export const assignment = () => ({ projectId: typeId("proj")(), endUserId: typeId("eusr")() });

/** Who asked for it: what waits for an approval is judged as theirs. Null where the platform itself did. */
export const initiator = () => ({
  callerType: text({ enum: ["key", "member"] }),
  callerId: uuid(),
  keyIds: typeId("key")().array().notNull().default([]),
  requestId: text(),
});

/** What was set aside for a thing, and what of that was charged. */
export const charges = () => ({
  heldCredits: integer().notNull().default(0),
  chargedCredits: integer().notNull().default(0),
});

/** Why a transaction, signature, order or swap failed. */
export const failure = () => jsonb().$type<{ code: string; message: string }>();

/**
 * Finds an account's rows by any part of a text (pg_trgm; `account_id` is in a GIN index by btree_gin), and by the whole of
 * it in any case, which among many that contain it would take long.
 */
export const searchIndexes = (name: string, account: ExtraConfigColumn, text: ExtraConfigColumn) => [
  index(`${name}_parts`).using("gin", account, text.op("gin_trgm_ops")).where(sql`${text} is not null`),
  index(`${name}_whole`).on(account, wholeText(text)).where(sql`${text} is not null`),
];

/** What texts are compared by as a whole; as long as an index takes. */
export const wholeText = (text: SQLWrapper) => sql`lower(left(${text}, 200))`;

/** What a `jsonb` column holds of a caller's own. */
export type JsonObject = Record<string, z.core.util.JSONType>;
