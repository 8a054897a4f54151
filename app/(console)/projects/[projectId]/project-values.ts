import { metadataOf, textsOf } from "#app/(console)/projects/[projectId]/metadata.ts";
import type { Project } from "#server/projects/schema.ts";

type Edited = Pick<Project, "name" | "slug" | "description" | "metadata">;

/** What of a project can be edited. */
export function valuesOf({ name, slug, description, metadata }: Edited) {
  return { name, slug, description: description ?? "", metadata: textsOf(metadata) };
}

/** The body that changes a project as the form says. */
export const changesOf =
  (project: Edited) =>
  ({ description, metadata, ...values }: ReturnType<typeof valuesOf>) => ({
    ...values,
    description: description === "" ? null : description,
    metadata: metadataOf(metadata, project.metadata),
  });
