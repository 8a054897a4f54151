import { defineList, oneOf, search, wordsOf } from "#components/table/list.ts";

export const projectList = defineList(
  "projects",
  { search, status: oneOf("Status", wordsOf(["active", "archived"])) },
  ["createdAt", "name"],
);

/** The keys that are bound to a project. */
export function keysOf(projectId: string, cursor?: string) {
  return { projectId, limit: 10, ...(cursor && { cursor }) };
}
