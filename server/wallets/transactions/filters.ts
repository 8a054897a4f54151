import { eq, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { z } from "zod";
import { walletTransactions } from "#db/schema/transactions.ts";
import { ADDRESS, matching, searchBy } from "#server/operation/matching.ts";
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

type Searched = Record<"id" | "from" | "to" | "hash" | "clientReference", PgColumn>;

/** Matches transactions that contain the text. */
export function matchingTransactions(
  text: string,
  { id, from, to, hash, clientReference }: Searched = walletTransactions,
): SQL {
  return matching(text, {
    kind: "transaction",
    id,
    columns: [clientReference],
    plain: { columns: [from, to, hash], made: ADDRESS },
  });
}
