"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { useCloseTo } from "#components/ui/close-side-modal.ts";
import { toast } from "#components/ui/toast.tsx";

/** Updates a connection from a side modal over its page, and closes the modal on success. */
export function useChangeConnection(connectionId: string, done: string) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const close = useCloseTo(routes.connections.read(connectionId));
  return useMutation(
    trpc.connections.update.mutationOptions({
      async onSuccess() {
        await queries.invalidateQueries(trpc.connections.pathFilter());
        toast(done);
        close();
      },
    }),
  );
}
