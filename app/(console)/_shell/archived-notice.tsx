"use client";

import { Archive } from "lucide-react";
import { routes } from "#components/routes.ts";
import { TextLink } from "#components/ui/link.tsx";
import { plainName } from "#components/ui/plain-name.ts";
import type { Project } from "#server/projects/schema.ts";

/** Shown above each page of an archived project. */
export function ArchivedNotice({ project }: { project: Project }) {
  return (
    <p role="status" className="border-b bg-warn-soft px-4 py-2 text-13 sm:px-6">
      <bdi className="break-words font-medium">{plainName(project.name)}</bdi> is archived: its contents can
      be read, and nothing can be created or changed.{" "}
      <TextLink href={routes.projects.read(project.id)}>See the project</TextLink>
    </p>
  );
}

/** The mark of an archived project beside its name. */
export function ArchivedMark() {
  return <Archive aria-hidden className="size-4 shrink-0 text-muted" />;
}
