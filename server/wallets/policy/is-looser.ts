import { limitsOf, type NetworkFeeLimits } from "../network-fees.ts";
import { usdOf } from "../usd.ts";
import { isLimited } from "./decide.ts";
import type { PolicyRules } from "./schema.ts";

/** True if a change allows an effect, or lets a person decide, that the previous rules did not. */
export function isLooser(before: PolicyRules, after: PolicyRules, installation: NetworkFeeLimits): boolean {
  // If amounts are limited, a list of contracts also permits calls that can't be decoded.
  const vouches = isLimited(before);
  const [fees, raised] = [limitsOf(before, installation), limitsOf(after, installation)];
  const [asks, asked] = [before.approval, after.approval];
  return [
    isRaised(before.maxPerTransactionUsd, after.maxPerTransactionUsd),
    isRaised(before.dailyLimitUsd, after.dailyLimitUsd),
    isRaised(fees.maxNetworkFeeUsd, raised.maxNetworkFeeUsd),
    isRaised(fees.dailyNetworkFeeUsd, raised.dailyNetworkFeeUsd),
    isWider(before.allowedNetworks, after.allowedNetworks),
    isWider(before.allowedAssets, after.allowedAssets),
    isWider(before.allowedRecipients, after.allowedRecipients),
    isWider(callsOf(before), callsOf(after), vouches),
    isWider(before.signatures.typedDataContracts, after.signatures.typedDataContracts, vouches),
    !before.signatures.messages && after.signatures.messages,
    isRaised(asks.aboveUsd, asked.aboveUsd),
    asks.always && !asked.always,
    asked.requiredApprovals < asks.requiredApprovals,
    !asks.initiatorMayApprove && asked.initiatorMayApprove,
    isWider(asks.approvers, asked.approvers),
    asks.policyChanges && !asked.policyChanges,
  ].some(Boolean);
}

function isRaised(before: string | null, after: string | null): boolean {
  return before !== null && (after === null || usdOf(after) > usdOf(before));
}

/**
 * True if a list allows an entry that the previous list did not. Without a list, every entry was allowed, but none was
 * listed.
 */
function isWider(
  before: readonly string[] | null,
  after: readonly string[] | null,
  vouches = false,
): boolean {
  if (after === null) return before !== null;
  if (before === null && !vouches) return false;
  const allowed = new Set(before);
  return after.some((entry) => !allowed.has(entry) && !allowed.has(`${entry.split(" ")[0]} *`));
}

/** Returns each contract with each of its methods, `*` for all. */
function callsOf({ allowedContracts }: PolicyRules): string[] | null {
  const entries = allowedContracts?.flatMap(({ address, methods }) =>
    (methods ?? ["*"]).map((method) => `${address} ${method}`),
  );
  return entries ?? null;
}
