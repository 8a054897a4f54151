"use client";

import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { answeredCall, keysQuery, projectsQuery, wasUsed } from "#app/(console)/(overview)/queries.ts";
import { isSample } from "#app/(console)/(overview)/sample.ts";
import { isLive } from "#app/(console)/api-keys/use-key-actions.tsx";
import { useTRPC } from "#components/trpc.tsx";

/** Returns the account's first project and key, and that key's last successful request: the results of the first steps. */
export function useFirstSteps() {
  const trpc = useTRPC();
  const { projects } = useSuspenseQuery(trpc.projects.list.queryOptions(projectsQuery)).data;
  const keys = useSuspenseQuery(trpc.apiKeys.list.queryOptions(keysQuery)).data.apiKeys;
  const key = keys.find(wasUsed) ?? keys.find(isLive);
  const answered = useQuery({
    ...trpc.auditEvents.list.queryOptions(answeredCall(key?.id)),
    enabled: key !== undefined,
  });
  const [call] = answered.data?.auditEvents ?? [];
  return {
    project: projects.find((one) => !isSample(one)),
    key,
    call,
    /** True if the key was used, as far as is known while its requests are loading. */
    connected: key !== undefined && wasUsed(key) && (call !== undefined || !answered.data),
  };
}
