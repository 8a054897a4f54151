import { Chip } from "#components/ui/chip.tsx";
import { groupDigits } from "#components/ui/digits.ts";
import type { Wallet } from "#server/wallets/schema.ts";

type Policy = Wallet["policy"];

const counted = (list: readonly unknown[] | null, one: string) =>
  list && `${list.length} ${one}${list.length === 1 ? "" : "s"}`;

/** Returns each restriction of a policy in a few words. */
export function policyWords(policy: Policy): string[] {
  const { approval, maxPerTransactionUsd, dailyLimitUsd } = policy;
  const above = approval.aboveUsd && `approval above ${groupDigits(approval.aboveUsd)} USD`;
  return [
    maxPerTransactionUsd && `${groupDigits(maxPerTransactionUsd)} USD each`,
    dailyLimitUsd && `${groupDigits(dailyLimitUsd)} USD a day`,
    approval.always ? "approval for all" : above,
    counted(policy.allowedRecipients, "recipient"),
    counted(policy.allowedAssets, "asset"),
    counted(policy.allowedNetworks, "network"),
    counted(policy.allowedContracts, "contract"),
  ].filter((word): word is string => Boolean(word));
}

/** Shows the restrictions of a wallet's policy at a glance. */
export function PolicyChips({ policy }: { policy: Policy }) {
  const words = policyWords(policy);
  if (words.length === 0) return <span className="text-muted">No limits</span>;
  return (
    <span className="flex flex-wrap gap-1 py-1">
      {words.map((word) => (
        <Chip key={word}>{word}</Chip>
      ))}
    </span>
  );
}
