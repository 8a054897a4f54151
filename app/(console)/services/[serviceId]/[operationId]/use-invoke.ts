"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import { readProblem } from "#components/ui/problem.ts";

/**
 * Invokes an operation. Each attempt has a new idempotency key, but after an unknown outcome it keeps its key, so that
 * repeating the call cannot execute it twice.
 */
export function useInvoke({ serviceId, operationId }: { serviceId: string; operationId: string }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queries = useQueryClient();
  const inDoubt = useRef<{ input: string; idempotencyKey: string } | null>(null);

  return useMutation({
    mutationFn: async ({ input, approvalId }: { input: unknown; approvalId?: string }) => {
      const text = JSON.stringify([input, approvalId]);
      const idempotencyKey =
        inDoubt.current?.input === text ? inDoubt.current.idempotencyKey : crypto.randomUUID();
      inDoubt.current = { input: text, idempotencyKey };
      return client.services.invoke.mutate(
        { serviceId, operationId, input, approvalId },
        { context: { idempotencyKey } },
      );
    },
    onSuccess: () => {
      inDoubt.current = null;
    },
    onError: (error) => {
      if (readProblem(error).operationState === "not_started") inDoubt.current = null;
    },
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries(trpc.credits.balance.read.queryFilter()),
        queries.invalidateQueries(trpc.approvals.pathFilter()),
      ]),
  });
}
