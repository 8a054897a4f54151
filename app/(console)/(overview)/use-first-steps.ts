"use client";

import { useQueries, useSuspenseQuery } from "@tanstack/react-query";
import {
  answeredCall,
  keysQuery,
  MAX_TRIED,
  projectsQuery,
  wasUsed,
} from "#app/(console)/(overview)/queries.ts";
import { isSample } from "#app/(console)/(overview)/sample.ts";
import { isLive } from "#app/(console)/api-keys/use-key-actions.tsx";
import { useTRPC } from "#components/trpc.tsx";

/** Returns the account's first project and key, and that key's last successful request: the results of the first steps. */
export function useFirstSteps() {
  const trpc = useTRPC();
  const { projects } = useSuspenseQuery(trpc.projects.list.queryOptions(projectsQuery)).data;
  const keys = useSuspenseQuery(trpc.apiKeys.list.queryOptions(keysQuery)).data.apiKeys;
  const tried = keys.filter((key) => wasUsed(key) || isLive(key)).slice(0, MAX_TRIED);
  const answered = useQueries({
    queries: tried.map(({ id }) => trpc.auditEvents.list.queryOptions(answeredCall(id))),
  });
  const nth = answered.findIndex(({ data }) => data?.auditEvents.length);
  const call = answered[nth]?.data?.auditEvents[0];
  const loading = tried.some((key, index) => wasUsed(key) && !answered[index]?.data);
  return {
    project: projects.find((one) => !isSample(one)),
    key: tried[nth] ?? tried.find(isLive) ?? tried[0],
    call,
    /** True if a request of a key succeeded, or may have while the requests are loading. */
    connected: call !== undefined || loading,
  };
}
