import { type SQL, sql } from "drizzle-orm";
import { contacts } from "#db/schema/contacts.ts";
import { apiKeys } from "#db/schema/keys.ts";
import { transactionAttempts, walletTransactions } from "#db/schema/transactions.ts";
import { wallets } from "#db/schema/wallets.ts";
import { webhookDeliveries } from "#db/schema/webhooks.ts";
import { toUuid } from "#server/base/ids.ts";
import type { Caller } from "#server/operation/caller.ts";
import { mine, select } from "./select.ts";
import type { Source } from "./source.ts";
import type { Term } from "./term.ts";

/** How many rows with the same value are returned. */
const ALIKE = 10;

/** Finds rows by a whole value: a hash, an address, the beginning of a secret, the id of a delivered event. */
export function byValue(source: Source, caller: Caller, term: Term): SQL[] {
  if (source.kind === "transaction" && term.address) return transactionsOf(source, caller, term.address);
  return valuesOf(source, caller, term).map((value) =>
    select(source, sql`${mine(source, caller)} and ${value}`, ALIKE),
  );
}

function valuesOf({ kind }: Source, caller: Caller, { hash, address, keyPrefix, ids }: Term): SQL[] {
  const account = sql`${toUuid("account", caller.accountId)}::uuid`;
  if (kind === "transaction" && hash)
    return [
      sql`${walletTransactions.hash} = ${hash}`,
      sql`${walletTransactions.id} in (select ${transactionAttempts.transactionId} from ${transactionAttempts}
        where ${transactionAttempts.accountId} = ${account} and ${transactionAttempts.hash} = ${hash})`,
    ];
  if (kind === "wallet" && address) return [sql`${wallets.address} = ${address}`];
  if (kind === "contact" && address) return [sql`${contacts.address} = ${address}`];
  if (kind === "apiKey" && keyPrefix) return [sql`${apiKeys.prefix} = ${keyPrefix}`];
  const event = kind === "delivery" && ids.find((range) => range.kind === "webhookEvent");
  if (event)
    return [
      sql`${webhookDeliveries.eventId} between ${toUuid("webhookEvent", event.first)}::uuid and ${toUuid("webhookEvent", event.last)}::uuid`,
    ];
  return [];
}

/** Finds the newest transactions to an address, from it, and of the account's wallet that has it, each by its index. */
function transactionsOf(source: Source, caller: Caller, address: string): SQL[] {
  const { from, to, direction, walletId, id } = walletTransactions;
  const newest = (condition: SQL) =>
    sql`(select * from ${walletTransactions} where ${mine(source, caller)} and ${condition} order by ${id} desc limit ${ALIKE})`;
  const account = sql`${toUuid("account", caller.accountId)}::uuid`;
  // Lateral, so that without such a wallet no transaction is read.
  const ofWallet = sql`(select newest.* from ${wallets} cross join lateral ${newest(sql`${walletId} = ${wallets.id}`)} newest
    where ${wallets.accountId} = ${account} and ${wallets.address} = ${address})`;
  return [
    newest(sql`${direction} = 'out' and ${to} = ${address}`),
    newest(sql`${direction} = 'in' and ${from} = ${address}`),
    ofWallet,
  ].map((rows) => select(source, sql`true`, ALIKE, sql`${rows} as ${walletTransactions}`));
}
