export const filterNames = ["status"] as const;

export const statuses = [
  { value: "active", label: "Active" },
  { value: "archived", label: "Archived" },
] as const;

/** What the list asks for. An address may hold anything; what is no status is no filter. */
export function projectsQuery({ status }: { status: string }, cursor?: string) {
  const wanted = statuses.find(({ value }) => value === status)?.value;
  return { ...(wanted && { status: wanted }), ...(cursor && { cursor }) };
}

/** The keys that are bound to a project. */
export function keysOf(projectId: string, cursor?: string) {
  return { projectId, limit: 10, ...(cursor && { cursor }) };
}
