import { invalid } from "#server/operation/errors.ts";
import type { PolicyRules } from "./schema.ts";

/** Refuses rules that nothing could ever satisfy. `where` is the path of the policy in the body. */
export function checkPolicy({ approval }: PolicyRules, where: string): void {
  const { approvers, requiredApprovals } = approval;
  if (approvers === null || new Set(approvers).size >= requiredApprovals) return;
  throw invalid(
    `${where}.approval.requiredApprovals`,
    `${requiredApprovals} approvals are required and ${new Set(approvers).size} approvers listed: nothing could be approved. List more, or require fewer.`,
  );
}
