"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Button } from "#components/ui/button.tsx";
import { readProblem } from "#components/ui/problem.ts";
import { useRouter } from "#components/ui/use-router.ts";

/** An operation of the platform with the exact input that was refused. */
export type RefusedAction = { serviceId: string; operationId: string; input: unknown };

/** The button that asks for the approval of a refused action and leads there; nothing if it was refused otherwise. */
export function AskForApproval({ error, action }: { error: unknown; action: RefusedAction }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const router = useRouter();
  const ask = useMutation(
    trpc.approvals.create.mutationOptions({
      async onSuccess({ approval }) {
        await queries.invalidateQueries(trpc.approvals.pathFilter());
        router.push(routes.approvals.read(approval.id));
      },
    }),
  );
  if (!error || readProblem(error).code !== "approval_required") return null;
  return (
    <span className="flex flex-col items-start gap-2">
      <Button pending={ask.isPending || ask.isSuccess} onClick={() => ask.mutate(action)}>
        Ask for approval
      </Button>
      {ask.error && <span>The approval was not asked for: {readProblem(ask.error).message}</span>}
    </span>
  );
}
