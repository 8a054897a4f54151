import { type SQL, sql } from "drizzle-orm";
import type { Db, Transaction } from "#db/client.ts";
import { uuidOf } from "#server/base/ids.ts";
import { notFound } from "#server/operation/errors.ts";
import { platform } from "#server/platform.ts";
import { STALE } from "#server/prices/queries.ts";
import type { Chain } from "#server/providers/chain/chains.ts";
import type { PolicyDecision } from "#server/quotes/schema.ts";
import { describeEffects, tokenOf } from "./describe-effects.ts";
import type { Effect } from "./effects.ts";
import { feeUsd } from "./network-fees.ts";
import { decide, type PricedAsset, type Signature } from "./policy/decide.ts";
import type { PolicyRules } from "./policy/schema.ts";
import type { WalletRow } from "./queries.ts";
import { usdOf } from "./usd.ts";

/** A policy's decision, with the value and the approval rules on which it is based. */
export interface Judgement extends PolicyDecision {
  /** The total value spent, at the higher of spot and average; null if an asset has no price. */
  valueUsd: string | null;
  /** A sentence for the person who decides. */
  summary: string;
  /** The approval rules of the policy as read; it may have changed since. */
  approval: PolicyRules["approval"];
}

/** The effects to judge, and their wallet. */
export interface JudgementInput {
  wallet: Pick<WalletRow, "accountId" | "id">;
  /** The CAIP-2 id of the chain; null if it is bound to none, as a message is. */
  network: string | null;
  effects: readonly Effect[];
  signature?: Signature;
  /** The maximum network fee of each of its transactions, in whole units of the native asset. */
  fees?: readonly string[];
  /** A description, if the effects alone would say too little. */
  description?: string;
  /** The resource that is judged again: its own reservations do not count against it. */
  subject?: string;
}

/** Judges effects by the wallet's policy; asks neither the database nor a chain. */
export function judge(state: PolicyState, input: Omit<JudgementInput, "wallet" | "subject">): Judgement {
  const { network, effects, signature } = input;
  const chain = network === null ? undefined : platform().chains.find(network);
  const tokens = chain?.tokens ?? [];
  const { rules, frozen, usedUsd, feesUsedUsd, nativeUsd, prices } = state;
  const assets = assetsOf(chain, prices);
  const fees = input.fees && {
    mostUsd: input.fees.map((fee) => feeUsd(fee, nativeUsd)),
    usedUsd: feesUsedUsd,
    installation: platform().settings.networkFees,
  };
  const decided = decide({ rules, frozen, network, effects, signature, assets, usedUsd, fees });
  const description = input.description ?? describeEffects(effects, tokens);
  return {
    ...decided,
    summary: summarize(description, decided.valueUsd, rules),
    approval: rules.approval,
  };
}

/** Returns a chain's assets with their symbols, decimals and prices. */
export function assetsOf(
  chain: Pick<Chain, "tokens" | "contracts"> | undefined,
  prices: Record<string, string>,
) {
  return (asset: Effect["asset"]): PricedAsset | null => {
    const token = chain && tokenOf(chain.tokens, asset);
    if (!token) return null;
    // The sandbox's dollar, and the token that the operator names as theirs, is worth one by definition.
    const priceUsd = token.asset === chain.contracts.usd ? "1" : (prices[token.asset] ?? null);
    return { symbol: token.symbol, decimals: token.decimals, priceUsd };
  };
}

/** The state of a wallet by which its policy judges. */
export interface PolicyState extends Record<string, unknown> {
  rules: PolicyRules;
  /** The version of the policy. */
  version: number;
  frozen: boolean;
  /** The amount that the wallet has spent or reserved today. */
  usedUsd: string;
  /** Today's network fees, paid or reserved. */
  feesUsedUsd: string;
  /** The highest value of the native asset, by the last reliable price. */
  nativeUsd: string | null;
  prices: Record<string, string>;
}

/**
 * Returns the columns of `PolicyState` from `wallets` with `joinToday`, by a network's prices, without the subject's
 * own reservation.
 */
export const policyStateColumns = (network: SQL, subject: string | null) => sql`
  wallets.policy as rules, wallets.policy_version as version, wallets.status = 'frozen' as frozen,
  (coalesce(today.used_usd, 0) - coalesce((select r.value_usd from cap_reservations r where r.account_id = wallets.account_id
      and r.subject = ${subject} and r.wallet_id = wallets.id and r.day = utc_today() and not r.returned), 0))::text as "usedUsd",
  (coalesce(today.fees_usd, 0) - coalesce((select sum(f.fee_counted_usd) from fund_reservations f
      where f.account_id = wallets.account_id and f.owner_id = ${subject && uuidOf("transaction", subject)}
      and f.fee_day = utc_today()), 0))::text as "feesUsedUsd",
  native_price(${network})::text as "nativeUsd",
  coalesce((select jsonb_object_agg(p.asset, greatest(p.spot_usd, p.average_usd)::text)
    from asset_prices p where p.network = ${network} and p.reliable and p.observed_at > now() - ${STALE}::interval), '{}') as prices`;

/** The join that `policyStateColumns` needs beside `wallets`: the wallet's spent and reserved amounts of this day. */
export const joinToday = sql`left join cap_days today
  on today.account_id = wallets.account_id and today.wallet_id = wallets.id and today.day = utc_today()`;

/** Reads the current state by which a wallet's policy judges, with the prices of a network. */
export async function readPolicyState(
  db: Db | Transaction,
  { wallet, network, subject }: Pick<JudgementInput, "wallet" | "network" | "subject">,
): Promise<PolicyState> {
  const [state] = await db.execute<PolicyState>(sql`
    select ${policyStateColumns(sql`${network}`, subject ?? null)} from wallets ${joinToday}
    where wallets.account_id = ${uuidOf("account", wallet.accountId)} and wallets.id = ${uuidOf("wallet", wallet.id)}`);
  if (!state) throw notFound("wallet", wallet.id);
  return state;
}

/** `Send 250 USD to 0x…, 40% of today's cap.` */
function summarize(description: string, valueUsd: string | null, { dailyLimitUsd }: PolicyRules): string {
  if (valueUsd === null || dailyLimitUsd === null || usdOf(dailyLimitUsd) === 0n) return `${description}.`;
  const percent = (usdOf(valueUsd) * 100n) / usdOf(dailyLimitUsd);
  return `${description}, ${percent === 0n ? "under 1" : percent}% of today's cap.`;
}
