import type { Metadata } from "next";
import type { ReactNode } from "react";
import { ProjectDetail } from "#app/(console)/projects/[projectId]/project-detail.tsx";
import { glanceOf, keysOf } from "#app/(console)/projects/queries.ts";
import { stripQuery } from "#app/(console)/runs/queries.ts";
import { may } from "#app/current-person.ts";
import { Hydrate, prefetch, prefetchSubject, trpc } from "#app/trpc-server.tsx";

export const metadata: Metadata = { title: "Project" };

export default async function ProjectLayout({
  children,
  params,
}: {
  children: ReactNode;
  params: Promise<{ projectId: string }>;
}) {
  const { projectId } = await params;
  const mayManageKeys = await may("api_keys:manage");
  const { overTime, perService, runs, failures, files, wallets } = glanceOf(projectId);
  await Promise.all([
    prefetchSubject(trpc.projects.read.queryOptions({ projectId })),
    mayManageKeys && prefetch(trpc.apiKeys.list.queryOptions(keysOf(projectId))),
    prefetch(
      trpc.usage.read.queryOptions(overTime),
      trpc.usage.read.queryOptions(perService),
      trpc.runs.list.queryOptions(runs),
      trpc.runs.list.queryOptions(failures),
      trpc.runs.list.queryOptions(stripQuery({ projectId })),
      trpc.files.list.queryOptions(files),
      trpc.wallets.list.queryOptions(wallets),
    ),
  ]);
  return (
    <Hydrate>
      <ProjectDetail
        projectId={projectId}
        mayWrite={await may("projects:write")}
        mayManageKeys={mayManageKeys}
      />
      {children}
    </Hydrate>
  );
}
