"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { EXAMPLE } from "#app/(console)/workflows/new/example.ts";
import { earlierOf } from "#app/(console)/workflows/new/stored-input.ts";
import { WorkflowEditor } from "#app/(console)/workflows/new/workflow-editor.tsx";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { PageSkeleton } from "#components/ui/skeleton.tsx";

/** The editor, with the workflow of an earlier run, the newest version of a stored one, or an example. */
export function NewWorkflow({ from, stored, mayWrite }: { from: string; stored: string; mayWrite: boolean }) {
  const trpc = useTRPC();
  const earlier = useQuery({ ...trpc.runs.read.queryOptions({ runId: from }), enabled: from !== "" });
  const run = earlier.data?.run;
  const newest = useNewestVersion(stored || (run?.workflow?.id ?? ""));
  if ((from !== "" && earlier.isPending) || newest.isPending) return <PageSkeleton />;
  const sent = run?.input as Partial<typeof EXAMPLE> | null | undefined;
  // The run of a stored workflow has an input, but no steps.
  const initial = newest.content ?? (sent?.workflow ? sent : EXAMPLE);
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
        back={
          stored ? (
            <TextLink href={routes.workflows.storedOne(stored)}>{newest.earlier?.name ?? "Stored"}</TextLink>
          ) : (
            <TextLink href={routes.workflows.list()}>Workflows</TextLink>
          )
        }
      />
      <ErrorNotice what="The earlier run could not be loaded." error={earlier.error} />
      <ErrorNotice what="The stored workflow could not be loaded." error={newest.error} />
      <WorkflowEditor
        workflow={initial.workflow}
        input={(sent ?? initial).input ?? null}
        earlier={newest.earlier}
        from={from}
        mayWrite={mayWrite}
      />
    </Page>
  );
}

/** Returns the newest version of a stored workflow, from which the next one is edited. */
function useNewestVersion(workflowId: string) {
  const trpc = useTRPC();
  const read = useQuery({ ...trpc.workflows.read.queryOptions({ workflowId }), enabled: workflowId !== "" });
  // The newest when the editor opened: a later one replaces neither the typed text nor the version that it is based on.
  const [opened, setOpened] = useState<number>();
  const version = opened ?? read.data?.workflow.version;
  if (version !== opened) setOpened(version);
  const content = useQuery({
    ...trpc.workflows.versions.read.queryOptions({ workflowId, version: String(version) }),
    enabled: version !== undefined,
    meta: { still: true },
  });
  const error = read.error ?? content.error;
  const definition = content.data?.definition;
  return {
    isPending: workflowId !== "" && !content.data && !error,
    error,
    earlier: content.data ? earlierOf(content.data) : null,
    content: definition ? { workflow: definition, input: null } : null,
  };
}
