"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import { projectsQuery } from "#app/(console)/(overview)/queries.ts";
import { NewKey } from "#app/(console)/api-keys/(list)/new/new-key.tsx";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";

/** The first key, in the project that was made in the step before, with what a backend needs. */
export function StartKey() {
  const trpc = useTRPC();
  const [project] = useSuspenseQuery(trpc.projects.list.queryOptions(projectsQuery)).data.projects;
  return (
    <NewKey
      {...(project && { projectId: project.id })}
      over={routes.overview()}
      next={routes.overview()}
      startWith="Backend"
    />
  );
}
