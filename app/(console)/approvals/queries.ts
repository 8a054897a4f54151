import { kinds } from "#app/(console)/approvals/words.ts";
import { defineList, endUser, oneOf, period, search, segments, wordsOf } from "#components/table/list.ts";
import { Segments } from "#components/ui/segments.tsx";
import { APPROVAL_STATUSES } from "#server/approvals/statuses.ts";

const decided = APPROVAL_STATUSES.filter((status) => status !== "pending");

/** Pending approvals come first; `any` is the whole history. */
const statuses = [
  { value: "", label: "Waiting" },
  ...wordsOf(decided, { consumed: "Done" }),
  { value: "any", label: "All" },
] as const;

type Status = (typeof APPROVAL_STATUSES)[number];

function statusOf(chosen: Status | "any" | undefined): Status | undefined {
  return chosen === "any" ? undefined : (chosen ?? "pending");
}

/** Selects pending approvals unless the address names another status. */
export const approvalList = defineList(
  "approvals",
  {
    status: segments("Status", statuses, Segments),
    search,
    kind: oneOf("Kind", kinds),
    endUser,
    ...period,
  },
  ["createdAt"],
).asking(({ status, ...query }) => ({ ...query, total: "include" as const, status: statusOf(status) }));
