import { and, eq, getTableColumns, inArray, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import { allOf } from "#db/conditions.ts";
import { endUsers } from "#db/schema/accounts.ts";
import { contacts } from "#db/schema/contacts.ts";
import { walletTransactions } from "#db/schema/transactions.ts";
import { uuidOf } from "#server/base/ids.ts";
import type { Caller } from "#server/operation/caller.ts";
import { ApiError, notFound } from "#server/operation/errors.ts";
import { isDuplicate } from "#server/operation/faults.ts";
import { visible } from "#server/operation/tenancy.ts";
import type { Contact } from "./schema.ts";

const SENT = ["reserved", "signed", "broadcast", "confirmed"] as const;

/** The moment of the caller's first or last transaction to a contact's address, which an index finds. */
function usedAt(caller: Caller, which: "first" | "last"): SQL<Date | null> {
  const { id, to, direction, status, createdAt } = walletTransactions;
  const sent = and(
    visible(walletTransactions, caller),
    sql`${to} = ${contacts.address}`,
    eq(direction, "out"),
    inArray(status, SENT),
  );
  const order = which === "first" ? sql`asc` : sql`desc`;
  return sql<Date | null>`(select ${createdAt} from ${walletTransactions} where ${sent} order by ${id} ${order} limit 1)`.mapWith(
    createdAt,
  );
}

/** Contacts that the caller sees, as `toContact` takes them. */
export function selectContacts(db: Db | Transaction, caller: Caller) {
  return db
    .select({
      ...getTableColumns(contacts),
      endUser: endUsers.externalId,
      firstUsedAt: usedAt(caller, "first"),
      lastUsedAt: usedAt(caller, "last"),
    })
    .from(contacts)
    .leftJoin(endUsers, and(eq(endUsers.accountId, contacts.accountId), eq(endUsers.id, contacts.endUserId)));
}

/** The condition for one contact that the caller sees. A malformed id is like one that is missing. */
export function oneContact(caller: Caller, contactId: string): SQL {
  if (uuidOf("contact", contactId) === null) return sql`false`;
  return allOf(visible(contacts, caller), eq(contacts.id, contactId));
}

/** Reads one contact; 404 where the caller does not see it. */
export async function readOneContact(db: Db | Transaction, caller: Caller, contactId: string) {
  const [row] = await selectContacts(db, caller).where(oneContact(caller, contactId));
  if (!row) throw notFound("contact", contactId);
  return toContact(row);
}

type ContactRow = Awaited<ReturnType<typeof selectContacts>>[number];

/** The wire's form of a row. */
export function toContact(row: ContactRow): z.input<typeof Contact> {
  return {
    id: row.id,
    name: row.name,
    address: row.address,
    note: row.note,
    firstUsedAt: row.firstUsedAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    projectId: row.projectId,
    endUser: row.endUser,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** The refusal of an address that the address book has already; any other error as it is. */
export function duplicateOf(reason: unknown, address: string | undefined): unknown {
  if (!isDuplicate(reason, "contacts_address")) return reason;
  return new ApiError(
    "already_exists",
    `The address book has ${address} already. Change that contact's name instead.`,
  );
}
