import { and, eq, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import { endUsers } from "#db/schema/accounts.ts";
import type { Caller } from "./caller.ts";

/** The query field that filters a list by an end user: `endUserFilter("Only runs of")`. */
export function endUserFilter(which: string) {
  return z
    .string()
    .max(200)
    .optional()
    .meta({
      description: `${which} the end user with this id of yours.`,
      examples: ["customer-81"],
    });
}

const named = ({ accountId }: Caller, externalId: string) =>
  and(eq(endUsers.accountId, accountId), eq(endUsers.externalId, externalId));

/**
 * Returns our id of the account's end user with this id of the customer's; null if there is none, or if the caller acts
 * for another.
 */
export async function findEndUserId(
  db: Db | Transaction,
  caller: Caller,
  externalId: string,
): Promise<string | null> {
  if (caller.endUser && caller.endUser.externalId !== externalId) return null;
  const [row] = await db.select({ id: endUsers.id }).from(endUsers).where(named(caller, externalId));
  return row?.id ?? null;
}

/** Matches rows of the end user with this id of the customer's; undefined without one. */
export function ofEndUser(column: PgColumn, caller: Caller, externalId: string | undefined): SQL | undefined {
  if (externalId === undefined) return undefined;
  // A value, not a join, so that an index returns the rows in the list's order.
  return eq(column, sql`(select ${endUsers.id} from ${endUsers} where ${named(caller, externalId)})`);
}
