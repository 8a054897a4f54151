"use client";

import { useQuery } from "@tanstack/react-query";
import { EXAMPLE } from "#app/(console)/workflows/new/example.ts";
import { WorkflowEditor } from "#app/(console)/workflows/new/workflow-editor.tsx";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { PageSkeleton } from "#components/ui/skeleton.tsx";

/** The editor, with the workflow of an earlier run or an example. */
export function NewWorkflow({ from, mayWrite }: { from: string; mayWrite: boolean }) {
  const trpc = useTRPC();
  const earlier = useQuery({ ...trpc.runs.read.queryOptions({ runId: from }), enabled: from !== "" });
  if (from !== "" && earlier.isPending) return <PageSkeleton />;
  const initial = (earlier.data?.run.input as Partial<typeof EXAMPLE> | undefined) ?? EXAMPLE;
  return (
    <Page>
      <PageHeader
        title="New workflow"
        sentence={
          <>
            Steps as JSON; texts in {"{% … %}"} are expressions.{" "}
            <TextLink href={`${routes.docs()}/workflows`}>How workflows are written</TextLink>
          </>
        }
        back={<TextLink href={routes.workflows.list()}>Workflows</TextLink>}
      />
      <ErrorNotice what="The earlier run could not be loaded." error={earlier.error} />
      <WorkflowEditor workflow={initial.workflow} input={initial.input ?? null} mayWrite={mayWrite} />
    </Page>
  );
}
