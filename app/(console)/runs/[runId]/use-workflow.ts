import { useQuery } from "@tanstack/react-query";
import type { Run } from "#app/(console)/runs/queries.ts";
import { sentWorkflow } from "#app/(console)/workflows/workflow.ts";
import { useTRPC } from "#components/trpc.tsx";

/** Returns the workflow that a run executes, stored or inline; null for any other run, and until it is read. */
export function useWorkflow(run: Run): unknown {
  const trpc = useTRPC();
  const { workflow } = run;
  const stored = useQuery({
    ...trpc.workflows.versions.read.queryOptions({
      workflowId: workflow?.id ?? "",
      version: String(workflow?.version),
    }),
    enabled: workflow !== null,
    retry: false,
  });
  return stored.data?.definition ?? sentWorkflow(run);
}
