import type { Metadata } from "next";
import type { ReactNode } from "react";
import { FirstSteps } from "#app/(console)/(overview)/first-steps.tsx";
import { LazyActivity } from "#app/(console)/(overview)/lazy-activity.tsx";
import { LazyFurther } from "#app/(console)/(overview)/lazy-further.tsx";
import { monthQueries } from "#app/(console)/(overview)/month-queries.ts";
import {
  answeredCall,
  keysQuery,
  latestQuery,
  projectsQuery,
  usedOf,
  waitingQuery,
} from "#app/(console)/(overview)/queries.ts";
import { may } from "#app/current-person.ts";
import { currentProject } from "#app/current-project.ts";
import { Hydrate, prefetch, readPrefetched, trpc } from "#app/trpc-server.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";

export const metadata: Metadata = { title: "Overview" };

export default async function OverviewLayout({ children }: { children: ReactNode }) {
  // Inside a project the first steps are not shown, so the account's keys are not read.
  const { projectId } = await currentProject();
  const begins = projectId === null && (await may("api_keys:manage"));
  await prefetch(
    trpc.projects.list.queryOptions(projectsQuery),
    trpc.credits.balance.read.queryOptions(),
    trpc.usage.read.queryOptions(monthQueries().overTime),
    trpc.approvals.list.queryOptions(waitingQuery),
    trpc.auditEvents.list.queryOptions(latestQuery),
    ...(begins ? [trpc.apiKeys.list.queryOptions(keysQuery)] : []),
  );
  const keys = readPrefetched(trpc.apiKeys.list.queryOptions(keysQuery))?.apiKeys ?? [];
  await prefetch(...usedOf(keys).map(({ id }) => trpc.auditEvents.list.queryOptions(answeredCall(id))));
  return (
    <Hydrate>
      <Page>
        <PageHeader title="Overview" />
        {begins ? (
          <>
            <FirstSteps>
              <LazyActivity />
            </FirstSteps>
            <LazyFurther />
          </>
        ) : (
          <LazyActivity />
        )}
      </Page>
      {children}
    </Hydrate>
  );
}
