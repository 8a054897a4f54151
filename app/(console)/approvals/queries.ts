import { kinds } from "#app/(console)/approvals/words.ts";

export const filterNames = ["status", "kind"] as const;

/** What waits comes first; `any` is the whole history. */
export const statuses = [
  { value: "", label: "Waiting" },
  { value: "approved", label: "Approved" },
  { value: "consumed", label: "Done" },
  { value: "rejected", label: "Rejected" },
  { value: "expired", label: "Expired" },
  { value: "cancelled", label: "Cancelled" },
  { value: "any", label: "All" },
] as const;

/** What the list asks for. An address may hold anything; what is no status is what waits. */
export function approvalsQuery(filters: Record<(typeof filterNames)[number], string>, cursor?: string) {
  const wanted = statuses.find(({ value }) => value === filters.status)?.value ?? "";
  const status = wanted === "" ? ("pending" as const) : wanted === "any" ? undefined : wanted;
  const kind = kinds.find(({ value }) => value === filters.kind)?.value;
  return {
    ...(status && { status }),
    ...(kind && { kind }),
    ...(cursor && { cursor }),
  };
}
