"use client";

import { useQuery } from "@tanstack/react-query";
import { ChevronsUpDown } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useTRPC } from "#components/trpc.tsx";
import { useChosenProject } from "#components/ui/chosen-project.ts";
import { plainName } from "#components/ui/plain-name.ts";
import { Pressable } from "#components/ui/pressable.tsx";
import type { Project } from "#server/projects/schema.ts";

const load = () => import("#app/(console)/_shell/project-choices.tsx");
const ProjectChoices = lazy(() => load().then(({ ProjectChoices }) => ({ default: ProjectChoices })));

// Few projects are archived; both are rendered on the server.
const archived = () => import("#app/(console)/_shell/archived-notice.tsx");
const ArchivedNotice = lazy(() => archived().then(({ ArchivedNotice }) => ({ default: ArchivedNotice })));
const ArchivedMark = lazy(() => archived().then(({ ArchivedMark }) => ({ default: ArchivedMark })));

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
      {project?.status === "archived" && (
        <Suspense>
          <ArchivedMark />
        </Suspense>
      )}
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

/** Says above each page that the project is archived. */
export function ProjectNotice({ before }: { before: Project | undefined }) {
  const project = useProject(before);
  if (project?.status !== "archived") return null;
  return (
    <Suspense>
      <ArchivedNotice project={project} />
    </Suspense>
  );
}
