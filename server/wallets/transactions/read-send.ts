import { sql } from "drizzle-orm";
import type { Address, Hex } from "viem";
import type { Db } from "#db/client.ts";
import { quotes } from "#db/schema/quotes.ts";
import { wallets } from "#db/schema/wallets.ts";
import { idOf, uuidOf } from "#server/ids.ts";
import type { Caller } from "#server/operation/caller.ts";
import { notFound } from "#server/operation/errors.ts";
import { visible } from "#server/operation/tenancy.ts";
import { refuseSpent } from "#server/quotes/queries.ts";
import type { Balances, Spend } from "../funds.ts";
import { type Facts, factsOf, joinToday } from "../judge.ts";

/** What a quote of a send keeps for its execution. */
export interface Plan {
  network: string;
  to: Address;
  asset: string;
  amount: string;
  data?: Hex;
  call: { to: Address; value: string; data: Hex; gas: string };
  spends: Spend[];
  balances: Balances;
}

/** All that the execution of a quote is judged by. */
export interface Send {
  wallet: {
    accountId: string;
    id: string;
    address: Address;
    projectId: string | null;
    endUserId: string | null;
    endUser: string | null;
  };
  plan: Plan;
  facts: Facts;
}

interface Row extends Facts {
  address: Address;
  project_id: string | null;
  end_user_id: string | null;
  end_user: string | null;
  plan: Plan | null;
  used_by: string | null;
  expires_at: string;
}

/** Reads wallet, quote and what the policy is judged by in one round trip; refuses a quote that can't be executed any more. */
export async function readSend(
  db: Db,
  { caller, walletId, quoteId }: { caller: Caller; walletId: string; quoteId: string },
): Promise<Send> {
  if (uuidOf("wallet", walletId) === null) throw notFound("wallet", walletId);
  if (uuidOf("quote", quoteId) === null) throw notFound("quote", quoteId);
  const [row] = await db.execute<Row>(sql`
    select ${factsOf(sql`(quotes.plan ->> 'network')`, null)}, wallets.address, wallets.project_id, wallets.end_user_id,
      (select external_id from end_users e where e.account_id = wallets.account_id and e.id = wallets.end_user_id) as end_user,
      quotes.plan, quotes.used_by, quotes.expires_at
    from wallets ${joinToday} left join quotes on ${visible(quotes, caller)} and quotes.id = ${uuidOf("quote", quoteId)}
      and quotes.kind = 'transaction' and quotes.wallet_id = wallets.id
    where ${visible(wallets, caller)} and wallets.id = ${uuidOf("wallet", walletId)}`);
  if (!row) throw notFound("wallet", walletId);
  const { plan, rules, version, frozen, usedUsd, feesUsedUsd, nativeUsd, prices } = row;
  if (!plan) throw notFound("quote", quoteId);
  refuseSpent({ id: quoteId, usedBy: row.used_by, expiresAt: new Date(row.expires_at) });
  return {
    wallet: {
      accountId: caller.accountId,
      id: walletId,
      address: row.address,
      endUser: row.end_user,
      projectId: row.project_id && idOf("project", row.project_id),
      endUserId: row.end_user_id && idOf("endUser", row.end_user_id),
    },
    plan,
    facts: { rules, version, frozen, usedUsd, feesUsedUsd, nativeUsd, prices },
  };
}
