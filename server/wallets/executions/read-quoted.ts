import { sql } from "drizzle-orm";
import type { Address } from "viem";
import type { Db } from "#db/client.ts";
import { quotes } from "#db/schema/quotes.ts";
import { wallets } from "#db/schema/wallets.ts";
import { idOf, uuidOf } from "#server/base/ids.ts";
import type { Caller } from "#server/operation/caller.ts";
import { notFound } from "#server/operation/errors.ts";
import { visible } from "#server/operation/tenancy.ts";
import { spentError } from "#server/quotes/queries.ts";
import type { QuoteKind } from "#server/quotes/schema.ts";
import { joinToday, type PolicyState, policyStateColumns } from "../judge.ts";
import type { QuotedWallet } from "./kind.ts";

interface Row extends PolicyState {
  wallet_id: string;
  address: Address;
  project_id: string | null;
  end_user_id: string | null;
  end_user: string | null;
  plan: Record<string, unknown> | null;
  used_by: string | null;
  expires_at: string;
}

/**
 * Reads a quote, its wallet and the state for judging the policy in one round trip; refuses a quote that can't be
 * executed any more.
 */
export async function readQuoted(
  db: Db,
  ask: { caller: Caller; kind: QuoteKind; quoteId: string; walletId?: string | undefined },
): Promise<{ wallet: QuotedWallet; plan: Record<string, unknown>; state: PolicyState }> {
  const { caller, kind, quoteId, walletId } = ask;
  const quoteUuid = uuidOf("quote", quoteId);
  const walletUuid = walletId === undefined ? null : uuidOf("wallet", walletId);
  if (walletId !== undefined && walletUuid === null) throw notFound("wallet", walletId);
  if (quoteUuid === null) throw notFound("quote", quoteId);
  const mine = sql`${visible(quotes, caller)} and quotes.id = ${quoteUuid} and quotes.kind = ${kind}`;
  const wanted = walletUuid ? sql`${walletUuid}` : sql`(select wallet_id from quotes where ${mine})`;
  const [row] = await db.execute<Row>(sql`
    select ${policyStateColumns(sql`coalesce(quotes.plan ->> 'network', quotes.plan #>> '{from,network}')`, null)},
      wallets.id as wallet_id, wallets.address, wallets.project_id, wallets.end_user_id,
      (select external_id from end_users e where e.account_id = wallets.account_id and e.id = wallets.end_user_id) as end_user,
      quotes.plan, quotes.used_by, quotes.expires_at
    from wallets ${joinToday} left join quotes on ${mine} and quotes.wallet_id = wallets.id
    where ${visible(wallets, caller)} and wallets.id = ${wanted}`);
  if (!row && walletId !== undefined) throw notFound("wallet", walletId);
  if (!row?.plan) throw notFound("quote", quoteId);
  const { plan, rules, version, frozen, usedUsd, feesUsedUsd, nativeUsd, prices } = row;
  const spent = spentError({ id: quoteId, usedBy: row.used_by, expiresAt: new Date(row.expires_at) });
  if (spent) throw spent;
  return {
    wallet: {
      accountId: caller.accountId,
      id: idOf("wallet", row.wallet_id),
      address: row.address,
      endUser: row.end_user,
      projectId: row.project_id && idOf("project", row.project_id),
      endUserId: row.end_user_id && idOf("endUser", row.end_user_id),
    },
    plan,
    state: { rules, version, frozen, usedUsd, feesUsedUsd, nativeUsd, prices },
  };
}
