"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "#components/trpc.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import type { MenuItem } from "#components/ui/menu-item.ts";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { toast } from "#components/ui/toast.tsx";
import type { Project } from "#server/projects/schema.ts";

const COUNTED = 100;

/** Returns the action that archives a project after a confirmation, or restores it without one, and the dialog. */
export function useArchiving() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [archiving, setArchiving] = useState<Project | null>(null);
  const refresh = () => queries.invalidateQueries(trpc.projects.pathFilter());
  const restore = useMutation(
    trpc.projects.restore.mutationOptions({
      async onSuccess({ project }) {
        await refresh();
        toast(`${project.name} is active again.`);
      },
    }),
  );
  const archive = useMutation(
    trpc.projects.archive.mutationOptions({
      async onSuccess({ project }) {
        await refresh();
        setArchiving(null);
        toast(`${project.name} is archived.`, { undo: () => restore.mutate({ projectId: project.id }) });
      },
    }),
  );

  return {
    restoreError: restore.error,
    pending: restore.isPending,
    actionOf: (project: Project): MenuItem & { onSelect: () => void } =>
      project.status === "active"
        ? { label: "Archive", danger: true, onSelect: () => setArchiving(project) }
        : { label: "Restore", onSelect: () => restore.mutate({ projectId: project.id }) },
    dialog: (
      <ConfirmDialog
        open={archiving !== null}
        onOpenChange={() => setArchiving(null)}
        title={`Archive “${archiving?.name}”?`}
        action="Archive"
        pending={archive.isPending}
        error={archive.error}
        onConfirm={() => archiving && archive.mutate({ projectId: archiving.id })}
      >
        {archiving && <WhatArchivingDoes project={archiving} />}
      </ConfirmDialog>
    ),
  };
}

function WhatArchivingDoes({ project }: { project: Project }) {
  const trpc = useTRPC();
  const bound = { projectId: project.id, status: "active" as const, limit: COUNTED };
  const { data } = useQuery(trpc.apiKeys.list.queryOptions(bound));
  const found = data?.apiKeys.length ?? 0;
  return (
    <>
      <p>
        Until you restore it, no key can select it and keys that are bound to it only read. Keys of the whole
        account can still change what is in it.
      </p>
      {data ? (
        <p>
          {found === 0 && "No active key is bound to it."}
          {found === 1 &&
            "1 active key is bound to it: it goes on reading, and each write of it answers 409."}
          {found > 1 &&
            `${data.nextCursor ? `More than ${COUNTED}` : found} active keys are bound to it: they go on reading, and each write of theirs answers 409.`}
        </p>
      ) : (
        <Skeleton className="h-5 w-64" />
      )}
    </>
  );
}
