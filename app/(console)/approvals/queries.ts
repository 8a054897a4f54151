import { type Approval, kinds } from "#app/(console)/approvals/words.ts";
import { defineList, oneOf, period, search, segments } from "#components/table/list.ts";

/** What waits comes first; `any` is the whole history. */
const statuses = [
  { value: "", label: "Waiting" },
  { value: "approved", label: "Approved" },
  { value: "consumed", label: "Done" },
  { value: "rejected", label: "Rejected" },
  { value: "expired", label: "Expired" },
  { value: "cancelled", label: "Cancelled" },
  { value: "any", label: "All" },
] as const;

type Chosen = Exclude<(typeof statuses)[number]["value"], "">;

function statusOf(chosen: Chosen | undefined): Approval["status"] | undefined {
  return chosen === "any" ? undefined : (chosen ?? "pending");
}

/** What waits for a decision, unless the address says something else. */
export const approvalList = defineList(
  "approvals",
  { status: segments("Status", statuses), search, kind: oneOf("Kind", kinds), ...period },
  ["createdAt"],
).asking(({ status, ...query }) => ({ ...query, status: statusOf(status) }));
