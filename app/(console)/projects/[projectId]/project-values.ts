import { metadataOf, textsOf } from "#app/(console)/projects/[projectId]/metadata.ts";
import type { Project } from "#server/projects/schema.ts";

type Edited = Pick<Project, "name" | "slug" | "description" | "metadata">;

/** Returns the editable values of a project. */
export function valuesOf({ name, slug, description, metadata }: Edited) {
  return { name, slug, description: description ?? "", metadata: textsOf(metadata) };
}

/** Converts the form's values to the body of the update. */
export const changesOf =
  (project: Edited) =>
  ({ description, metadata, ...values }: ReturnType<typeof valuesOf>) => ({
    ...values,
    description: description === "" ? null : description,
    metadata: metadataOf(metadata, project.metadata),
  });
