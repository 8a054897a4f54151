import { statuses } from "#app/(console)/runs/queries.ts";

export const filterNames = ["status"] as const;

/** The runs of workflows. */
export function workflowsQuery({ status }: { status: string }, cursor?: string) {
  const wanted = statuses.find(({ value }) => value === status)?.value;
  return {
    serviceId: "managed-workflows",
    timeline: "exclude" as const,
    ...(wanted && { status: wanted }),
    ...(cursor && { cursor }),
  };
}
