import { parseUnits } from "viem";
import { ApiError } from "#server/operation/errors.ts";
import { refusalOf } from "#server/operation/statement-batch.ts";
import type { PolicyRules } from "./policy/schema.ts";
import { usdOf, usdText, worthOf } from "./usd.ts";

/** The limits of a wallet's network fees, in USD: for one transaction, and for one UTC day. */
export interface NetworkFeeLimits {
  maxNetworkFeeUsd: string;
  dailyNetworkFeeUsd: string;
}

/** The maximum network fees of a resource, and those used already. */
export interface NetworkFees {
  /** The maximum fee of each of its transactions in USD; null without a price. */
  mostUsd: readonly (string | null)[];
  /** The paid and reserved fees of the wallet's other transactions of the day. */
  usedUsd: string;
  /** The limits for wallets whose policy sets none. */
  installation: NetworkFeeLimits;
}

const NO_PRICE =
  "There is no price for the network's own asset that can be relied on, by which the policy's limits of network fees could be judged.";

/** Returns the exceeded limits of network fees: the policy's, or else the installation's. */
export function* networkFeeFaults(
  rules: Pick<PolicyRules, keyof NetworkFeeLimits>,
  { mostUsd, usedUsd, installation }: NetworkFees,
): Generator<string> {
  const { maxNetworkFeeUsd: one, dailyNetworkFeeUsd: day } = limitsOf(rules, installation);
  if (mostUsd.includes(null) && (rules.maxNetworkFeeUsd ?? rules.dailyNetworkFeeUsd) !== null) yield NO_PRICE;
  const known = mostUsd.filter((most) => most !== null);
  for (const most of known) if (usdOf(most) > usdOf(one)) yield beyondOne(most, one);
  const sum = known.reduce((total, most) => total + usdOf(most), 0n);
  if (sum > 0n && usdOf(usedUsd) + sum > usdOf(day)) yield beyondDay(usdText(sum), usedUsd, day);
}

/** Returns the limits that apply to a wallet. */
export function limitsOf(
  rules: Pick<PolicyRules, keyof NetworkFeeLimits>,
  installation: NetworkFeeLimits,
): NetworkFeeLimits {
  return {
    maxNetworkFeeUsd: rules.maxNetworkFeeUsd ?? installation.maxNetworkFeeUsd,
    dailyNetworkFeeUsd: rules.dailyNetworkFeeUsd ?? installation.dailyNetworkFeeUsd,
  };
}

/** Returns a fee's value in USD; the fee is in whole units of the native asset, the price is for one. */
export function feeUsd(fee: string, nativeUsd: string | null): string | null {
  return nativeUsd === null ? null : usdText(worthOf(parseUnits(fee, 18), 18, nativeUsd));
}

/** A refusal of `count_fee`. */
interface FeeRefusal {
  /** UUID. */
  transaction: string;
  mostUsd: string | null;
  /** Set if the daily limit refuses. */
  usedUsd?: string;
  limits: NetworkFeeLimits;
}

/** Returns the transaction whose network fee was refused, with the reason; null for any other failure. */
export function feeRefusalOf(reason: unknown): { transaction: string; message: string } | null {
  const refusal = refusalOf<FeeRefusal>(reason, "fees");
  if (!refusal) return null;
  const { transaction, mostUsd, usedUsd, limits } = refusal;
  if (mostUsd === null) return { transaction, message: NO_PRICE };
  const message =
    usedUsd === undefined
      ? beyondOne(mostUsd, limits.maxNetworkFeeUsd)
      : beyondDay(mostUsd, usedUsd, limits.dailyNetworkFeeUsd);
  return { transaction, message };
}

/** Returns the caller's error for a refused network fee; any other failure unchanged. */
export function withFeeRefusal(reason: unknown): unknown {
  const refusal = feeRefusalOf(reason);
  return refusal ? new ApiError("policy_denied", refusal.message) : reason;
}

const beyondOne = (most: string, limit: string) =>
  `The network may take up to ${most} USD, more than the ${limit} USD that one transaction's fee may come to.`;

const beyondDay = (most: string, used: string, limit: string) =>
  `The network may take up to ${most} USD, which does not fit into today's limit of ${limit} USD for network fees, of which ${used} USD is spent or promised.`;
