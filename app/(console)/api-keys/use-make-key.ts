"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { useTRPC } from "#components/trpc.tsx";
import type { CreateApiKey } from "#server/keys/schema.ts";

/** Creates a root key, or a child of `parentId`. */
export function useMakeKey(parentId: string | null) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries(trpc.apiKeys.pathFilter());
  const create = useMutation(trpc.apiKeys.create.mutationOptions({ onSuccess }));
  const delegate = useMutation(trpc.apiKeys.delegate.mutationOptions({ onSuccess }));
  const used = parentId ? delegate : create;
  return {
    mutate: (body: z.input<typeof CreateApiKey>) =>
      parentId ? delegate.mutate({ parentId, ...body }) : create.mutate(body),
    isPending: used.isPending,
    error: used.error,
    made: used.data,
  };
}
