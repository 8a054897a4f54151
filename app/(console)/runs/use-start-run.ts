"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { useRouter } from "#components/ui/use-router.ts";

/** Creates a run and goes to its page. */
export function useStartRun() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const router = useRouter();
  return useMutation(
    trpc.runs.create.mutationOptions({
      async onSuccess({ run }) {
        await Promise.all([
          queries.invalidateQueries(trpc.runs.list.pathFilter()),
          queries.invalidateQueries(trpc.credits.balance.read.queryFilter()),
        ]);
        router.push(routes.runs.read(run.id));
      },
    }),
  );
}
