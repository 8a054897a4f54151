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

/** A `uuid` column that code sees as a TypeID with this prefix. Other values are refused before they are sent. */
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

/** A timestamp with millisecond precision, as in responses. */
export const instant = () => timestamp({ withTimezone: true, precision: 3, mode: "date" });

/**
 * When the row was inserted: the time inside its UUIDv7 `id`, so that ordering by id is ordering by (createdAt, id).
 */
export const createdAt = () => instant().notNull().generatedAlwaysAs(sql`uuid_extract_timestamp(id)`);

export const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => "bytea" });

/** A SQL/JSON predicate; the database refuses malformed ones. */
export const jsonpath = customType<{ data: string; driverData: string }>({ dataType: () => "jsonpath" });

/** The account that a row belongs to; the first column of every key of a tenant's table. */
export const accountId = () => typeId("acct")().notNull();

/** The project and end user that a tenant's resource is assigned to, if any. */
export const assignment = () => ({ projectId: typeId("proj")(), endUserId: typeId("eusr")() });

/**
 * The key or member who requested it; after an approval the request is judged again on their behalf. Null for the
 * platform itself.
 */
export const initiator = () => ({
  callerType: text({ enum: ["key", "member"] }),
  callerId: uuid(),
  keyIds: typeId("key")().array().notNull().default([]),
  requestId: text(),
});

/** The credits held for a resource, and how many of them were charged. */
export const charges = () => ({
  heldCredits: integer().notNull().default(0),
  chargedCredits: integer().notNull().default(0),
});

/** Why a transaction, signature, order or swap failed. */
export const failure = () => jsonb().$type<{ code: string; message: string }>();

/**
 * Indexes that find an account's rows by any part of a text (pg_trgm; btree_gin lets the GIN index include
 * `account_id`), and by the whole text in any case, since that search is slow where many rows contain the text.
 */
export const searchIndexes = (name: string, account: ExtraConfigColumn, text: ExtraConfigColumn) => {
  const rows = sql`${text} is not null`;
  return [
    index(`${name}_parts`).using("gin", account, text.op("gin_trgm_ops")).where(rows),
    index(`${name}_whole`).on(account, wholeText(text)).where(rows),
  ];
};

/**
 * An index that finds an account's rows by any part of their ids, as people see them, and of other texts that need no
 * index of the whole. Each new version of a row costs 20 entries, so that only tables have it whose rows people make one by one.
 */
export const idPartsIndex = (
  name: string,
  account: ExtraConfigColumn,
  id: SQLWrapper,
  ...texts: SQLWrapper[]
) =>
  index(`${name}_id_parts`).using(
    "gin",
    account,
    ...[idText(id), ...texts].map((text) => sql`${text} gin_trgm_ops`),
  );

/**
 * An index that finds an account's rows by the last six characters of their ids, in which people see and copy them. It is
 * for tables that grow with use: an insert costs one entry, and an update without new entries still needs none. The account
 * comes second: plans that are made while a table is small would use the index to find any row of an account.
 */
export const idEndIndex = (name: string, account: ExtraConfigColumn, id: SQLWrapper) =>
  index(`${name}_id_end`).on(idEnd(id), account).concurrently();

interface Assigned {
  accountId: ExtraConfigColumn;
  endUserId: ExtraConfigColumn;
  id: ExtraConfigColumn;
}

/** An index of an end user's rows in the order of lists; rows without an end user have no entry in it. */
export const endUserIndex = (name: string, { accountId, endUserId, id }: Assigned) =>
  index(`${name}_end_user`).on(accountId, endUserId, id).where(sql`end_user_id is not null`).concurrently();

/** The last six characters of a public id as a number: the UUID's lowest 30 bits, all of them random. */
export const idEnd = (id: SQLWrapper) => sql`(substr(uuid_send(${id}), 13)::int & 1073741823)`;

/** The last 20 characters of a public id: the first six are the time, which ids of a quarter of an hour share. */
export const idText = (id: SQLWrapper) => sql`id_text(${id})`;

/** The form by which whole texts are compared, shortened to the length that an index takes. */
export const wholeText = (text: SQLWrapper) => sql`lower(left(${text}, 200))`;

/** A caller's own JSON object in a `jsonb` column. */
export type JsonObject = Record<string, z.core.util.JSONType>;
