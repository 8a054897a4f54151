"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { titleOf, within } from "#app/(console)/memories/queries.ts";
import { routes } from "#components/routes.ts";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { useRouter } from "#components/ui/use-router.ts";
import type { Memory } from "#server/memory/schema.ts";

type Asked = Pick<Memory, "id" | "name" | "projectId">;

const SERVICE = { serviceId: "managed-memory", operationId: "delete" };

/** Requests the approval to delete a memory. */
export const requestDeletion = (client: ReturnType<typeof useTRPCClient>, memory: Asked) =>
  client.approvals.create.mutate({ ...SERVICE, input: { id: memory.id } }, within(memory));

/**
 * Returns a function that asks for the approval to delete a memory, and the dialog. The page of the operation, where the
 * approved deletion is carried out, opens afterwards.
 */
export function useDeletion() {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queries = useQueryClient();
  const router = useRouter();
  const [asked, setAsked] = useState<Asked | null>(null);
  const request = useMutation({
    mutationFn: (memory: Asked) => requestDeletion(client, memory),
    async onSuccess({ approval }, { projectId }) {
      await queries.invalidateQueries(trpc.approvals.pathFilter());
      setAsked(null);
      const search = { approvalId: approval.id, ...(projectId && { projectId }) };
      router.push(routes.services.operation(SERVICE.serviceId, SERVICE.operationId, search));
    },
  });

  return {
    ask: setAsked,
    dialog: (
      <ConfirmDialog
        open={asked !== null}
        onOpenChange={() => setAsked(null)}
        title={asked ? `Delete “${titleOf(asked)}”?` : ""}
        action="Ask for approval"
        pending={request.isPending}
        error={request.error}
        onConfirm={() => asked && request.mutate(asked)}
      >
        <p>
          Its content, tags and metadata would be gone for good, which needs an approval. Nothing is deleted
          until the request is approved and you invoke it.
        </p>
      </ConfirmDialog>
    ),
  };
}
