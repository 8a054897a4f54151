import { useQuery } from "@tanstack/react-query";
import type { Run } from "#app/(console)/runs/queries.ts";
import { sentWorkflow } from "#app/(console)/workflows/workflow.ts";
import { useTRPC } from "#components/trpc.tsx";

/** Returns the workflow that a run executes, stored or inline; null for any other run, and until it is read. */
export function useWorkflow(run: Run): unknown {
  const stored = useQuery(workflowQuery(useTRPC(), run));
  return stored.data?.definition ?? sentWorkflow(run);
}

/** Returns the query for the version of the stored workflow that a run executes. */
export function workflowQuery(trpc: ReturnType<typeof useTRPC>, run: Run | undefined) {
  const workflow = run?.workflow;
  return {
    ...trpc.workflows.versions.read.queryOptions({
      workflowId: workflow?.id ?? "",
      version: String(workflow?.version),
    }),
    enabled: Boolean(workflow),
    retry: false,
  };
}
