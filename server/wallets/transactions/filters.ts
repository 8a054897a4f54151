import { and, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { z } from "zod";
import { anyOf } from "#db/conditions.ts";
import { walletTransactions } from "#db/schema/transactions.ts";
import { ADDRESS, contains, matching, searchBy } from "#server/operation/matching.ts";
import { Transaction } from "./schema.ts";

/** The query fields that restrict a list to some of a wallet's transactions. */
export const TransactionFilters = z.object({
  direction: Transaction.shape.direction.optional(),
  network: z
    .string()
    .max(100)
    .optional()
    .meta({ description: "Only transactions on the chain with this CAIP-2 id.", examples: ["eip155:31337"] }),
  search: searchBy("Only transactions whose addresses, hash or `clientReference`"),
});

/** Returns the conditions of `direction` and `network`. */
export function filtered({ direction, network }: z.output<typeof TransactionFilters>): (SQL | undefined)[] {
  return [
    direction && eq(walletTransactions.direction, direction),
    network === undefined ? undefined : eq(walletTransactions.network, network),
  ];
}

type Searched = Record<"id" | "from" | "to" | "hash" | "clientReference" | "status" | "endedAt", PgColumn>;

/** Matches transactions that contain the text. */
export function matchingTransactions(
  text: string,
  { id, from, to, hash, clientReference, status, endedAt }: Searched = walletTransactions,
): SQL {
  const referred = contains(clientReference, text);
  return anyOf(
    // Each part has an index: the ended transactions by their references, the few others by their status.
    and(referred, isNotNull(endedAt)),
    and(referred, sql`${status} in ('awaiting_approval', 'reserved', 'signed', 'broadcast')`),
    matching(text, {
      kind: "transaction",
      id,
      columns: [],
      plain: { columns: [from, to, hash], made: ADDRESS },
    }),
  );
}
