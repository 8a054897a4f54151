import type { Metadata } from "next";
import type { ReactNode } from "react";
import { ProjectList } from "#app/(console)/projects/project-list.tsx";
import { projectList } from "#app/(console)/projects/queries.ts";
import { may } from "#app/current-person.ts";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";
import { wantedFilters } from "#components/table/wanted-filters.ts";

export const metadata: Metadata = { title: "Projects" };

export default async function ProjectsLayout({ children }: { children: ReactNode }) {
  const asked = projectList.query(await wantedFilters(projectList.names));
  await prefetch(trpc.projects.list.queryOptions(asked));
  return (
    <Hydrate>
      <ProjectList mayWrite={await may("projects:write")} />
      {children}
    </Hydrate>
  );
}
