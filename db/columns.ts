import { sql } from "drizzle-orm";
import { customType, timestamp } from "drizzle-orm/pg-core";
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

/** The account that a row belongs to: first in every key of a tenant's table. */
export const accountId = () => typeId("acct")().notNull();

/** What a tenant's thing is assigned to besides its account, if anything. */
export const assignment = () => ({ projectId: typeId("proj")(), endUserId: typeId("eusr")() });
