"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { within } from "#app/(console)/memories/queries.ts";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import { useCloseTo } from "#components/ui/close-side-modal.ts";
import { toast } from "#components/ui/toast.tsx";
import type { PutMemory } from "#server/memory/schema.ts";

/** Returns the mutation that stores a memory by the service's operation, in a project, and then closes the form. */
export function usePut(projectId: string | null, parent: string, done: string) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queries = useQueryClient();
  const close = useCloseTo(parent);
  return useMutation({
    mutationFn: (input: z.output<typeof PutMemory>) =>
      client.services.invoke.mutate(
        { serviceId: "managed-memory", operationId: "put", input },
        within({ projectId }),
      ),
    async onSuccess() {
      await queries.invalidateQueries(trpc.memories.pathFilter());
      toast(done);
      close();
    },
  });
}
