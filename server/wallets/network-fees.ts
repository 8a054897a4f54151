import { parseUnits } from "viem";
import { ApiError } from "#server/operation/errors.ts";
import { refusalOf } from "#server/operation/statement-batch.ts";
import type { PolicyRules } from "./policy/schema.ts";
import { usdOf, usdText, worthOf } from "./usd.ts";

/** What networks may take of a wallet, in USD: for one transaction, and in one UTC day. */
export interface NetworkFeeLimits {
  maxNetworkFeeUsd: string;
  dailyNetworkFeeUsd: string;
}

/** What networks may take for something, and what they have taken. */
export interface NetworkFees {
  /** For each of its transactions, the most in USD; null without a price. */
  mostUsd: readonly (string | null)[];
  /** What has been paid, or may be, for the wallet's other transactions of the day. */
  usedUsd: string;
  /** For wallets whose policy says nothing of it. */
  installation: NetworkFeeLimits;
}

const NO_PRICE =
  "There is no price for the network's own asset that can be relied on, by which the policy's limits of network fees could be judged.";

/** What exceeds the limits of network fees, those of the policy or else the installation's. */
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

/** The limits that hold for a wallet. */
export function limitsOf(
  rules: Pick<PolicyRules, keyof NetworkFeeLimits>,
  installation: NetworkFeeLimits,
): NetworkFeeLimits {
  return {
    maxNetworkFeeUsd: rules.maxNetworkFeeUsd ?? installation.maxNetworkFeeUsd,
    dailyNetworkFeeUsd: rules.dailyNetworkFeeUsd ?? installation.dailyNetworkFeeUsd,
  };
}

/** What a fee, in whole units of the native asset, is worth at this price for one. */
export function feeUsd(fee: string, nativeUsd: string | null): string | null {
  return nativeUsd === null ? null : usdText(worthOf(parseUnits(fee, 18), 18, nativeUsd));
}

/** What `count_fee` returns where it refuses. */
interface FeeRefusal {
  /** UUID. */
  transaction: string;
  mostUsd: string | null;
  /** Where it is the day that it does not fit into. */
  usedUsd?: string;
  limits: NetworkFeeLimits;
}

/** Which transaction the network may not take so much for, and why; null where the failure is another. */
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

/** The error that a caller gets instead, where the network may not take so much. */
export function withFeeRefusal(reason: unknown): unknown {
  const refusal = feeRefusalOf(reason);
  return refusal ? new ApiError("policy_denied", refusal.message) : reason;
}

const beyondOne = (most: string, limit: string) =>
  `The network may take up to ${most} USD, more than the ${limit} USD that one transaction's fee may come to.`;

const beyondDay = (most: string, used: string, limit: string) =>
  `The network may take up to ${most} USD, which does not fit into today's limit of ${limit} USD for network fees, of which ${used} USD is spent or promised.`;
