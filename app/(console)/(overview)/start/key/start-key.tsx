"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import { projectsQuery } from "#app/(console)/(overview)/queries.ts";
import { isSample } from "#app/(console)/(overview)/sample.ts";
import { NewKey } from "#app/(console)/api-keys/(list)/new/new-key.tsx";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";

/** Creates the first key, in the project of the previous step, with the scopes of a backend. */
export function StartKey() {
  const trpc = useTRPC();
  const { projects } = useSuspenseQuery(trpc.projects.list.queryOptions(projectsQuery)).data;
  const project = projects.find((one) => !isSample(one));
  return (
    <NewKey
      {...(project && { projectId: project.id })}
      over={routes.overview()}
      next={routes.overview()}
      startWith="Backend"
    />
  );
}
