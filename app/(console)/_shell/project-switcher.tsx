"use client";

import { useQuery } from "@tanstack/react-query";
import { Archive, ChevronsUpDown } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { plainName } from "#app/(console)/_shell/plain-name.ts";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { useChosenProject } from "#components/ui/chosen-project.ts";
import { TextLink } from "#components/ui/link.tsx";
import { Pressable } from "#components/ui/pressable.tsx";
import type { Project } from "#server/projects/schema.ts";

const load = () => import("#app/(console)/_shell/project-choices.tsx");
const ProjectChoices = lazy(() => load().then(({ ProjectChoices }) => ({ default: ProjectChoices })));

/** Returns the current state of the chosen project; `before` is its state when the server rendered the page. */
function useProject(before: Project | undefined): Project | undefined {
  const trpc = useTRPC();
  const projectId = useChosenProject();
  const { data } = useQuery({
    ...trpc.projects.read.queryOptions({ projectId: projectId ?? "" }),
    enabled: projectId !== null,
    ...(before && { initialData: { project: before } }),
  });
  return projectId === null ? undefined : data?.project;
}

/** Shows the page's project and offers the others; the menu loads when it first opens. */
export function ProjectSwitcher({ before }: { before: Project | undefined }) {
  const [used, setUsed] = useState(false);
  const projectId = useChosenProject();
  const project = useProject(before);
  const name = projectId === null ? "All projects" : plainName(project?.name ?? "Unknown project");
  const trigger = (
    <Pressable
      aria-haspopup="dialog"
      aria-expanded={false}
      onPointerEnter={() => void load()}
      onClick={() => setUsed(true)}
      className="flex h-8 min-w-0 max-w-56 items-center gap-1.5 rounded-md px-2 hover:bg-hover"
    >
      {project?.status === "archived" && <Archive aria-hidden className="size-4 shrink-0 text-muted" />}
      <span className="sr-only">Project: </span>
      <bdi className="truncate">{name}</bdi>
      <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-muted" />
    </Pressable>
  );
  if (!used) return trigger;
  return (
    <Suspense fallback={trigger}>
      <ProjectChoices trigger={trigger} chosen={projectId} />
    </Suspense>
  );
}

/** Shown above each page of an archived project. */
export function ArchivedNotice({ before }: { before: Project | undefined }) {
  const project = useProject(before);
  if (project?.status !== "archived") return null;
  return (
    <p role="status" className="border-b bg-warn-soft px-4 py-2 text-13 sm:px-6">
      <bdi className="break-words font-medium">{plainName(project.name)}</bdi> is archived: what is in it can
      be looked at, and nothing can be made or changed.{" "}
      <TextLink href={routes.projects.read(project.id)}>See the project</TextLink>
    </p>
  );
}
