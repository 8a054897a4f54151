"use client";

import { useQuery } from "@tanstack/react-query";
import { keyColumnsWith } from "#app/(console)/api-keys/key-columns.tsx";
import { useKeyNumbers } from "#app/(console)/api-keys/use-key-numbers.ts";
import { keysOf } from "#app/(console)/projects/queries.ts";
import { routes } from "#components/routes.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { useTRPC } from "#components/trpc.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Section } from "#components/ui/section.tsx";
import type { Project } from "#server/projects/schema.ts";

/** The keys that are bound to the project. */
export function ProjectKeys({ project }: { project: Project }) {
  const trpc = useTRPC();
  const list = useQuery(trpc.apiKeys.list.queryOptions(keysOf(project.id)));
  const numbers = useKeyNumbers(list.data?.apiKeys ?? []);
  return (
    <Section
      title="Keys"
      description="They see and touch this project only."
      action={
        <div className="flex flex-wrap items-center gap-3">
          <TextLink href={routes.apiKeys.list({ projectId: project.id })}>All keys</TextLink>
          {project.status === "active" && (
            <ButtonLink href={routes.projects.createKey(project.id)}>New key</ButtonLink>
          )}
        </div>
      }
    >
      <ErrorNotice what="The keys could not be loaded." error={list.error} />
      <DataTable
        label="Keys"
        columns={keyColumnsWith(numbers)}
        rows={list.data?.apiKeys}
        rowId={(key) => key.id}
        rowHref={(key) => routes.apiKeys.read(key.id)}
        empty={
          <EmptyState title="No key is bound to this project">
            A bound key, and every key below it, stays in this project for good.
          </EmptyState>
        }
      />
    </Section>
  );
}
