import type { Column } from "#components/table/column.ts";
import { shorten } from "#components/ui/copyable.tsx";

/** Returns the column with the project's name; `projects` has names by id. Inside a project it is hidden at first. */
export const projectColumn = (
  projects: ReadonlyMap<string, string>,
  isInProject = false,
): Column<{ projectId: string | null }> => ({
  header: "Project",
  cell: ({ projectId }) => (projectId ? (projects.get(projectId) ?? shorten(projectId)) : "–"),
  csv: ({ projectId }) => projectId,
  optional: isInProject,
  width: "8rem",
  minor: true,
});
