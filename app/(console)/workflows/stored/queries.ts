import type { StoredWorkflow } from "#server/workflows/stored/schema.ts";

export type Stored = StoredWorkflow;

export const filterNames = ["search", "status"] as const;

export const statuses = [
  { value: "active", label: "Active" },
  { value: "archived", label: "Archived" },
] as const;

/** What the list asks for. */
export function storedQuery(
  { search, status }: Record<(typeof filterNames)[number], string>,
  cursor?: string,
) {
  const wanted = statuses.find(({ value }) => value === status)?.value;
  return {
    ...(search.trim() && { search: search.trim().slice(0, 200) }),
    ...(wanted && { status: wanted }),
    ...(cursor && { cursor }),
  };
}

/** The runs of a version, newest first. */
export const runsOfVersion = (workflowId: string, workflowVersion: number) => ({
  workflowId,
  workflowVersion,
  timeline: "exclude" as const,
});
