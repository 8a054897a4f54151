"use client";

import { useMutation } from "@tanstack/react-query";

import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Button } from "#components/ui/button.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { useRouter } from "#components/ui/use-router.ts";

/** An action that changes nothing, whatever is decided: no memory has this name. */
const ACTION = {
  serviceId: "managed-memory",
  operationId: "delete",
  input: { name: "first-decision" },
  reason: "For a first decision: approve or reject it; neither deletes anything.",
};

/** Asks for an approval to try deciding on, and opens it. */
export function AskForApproval() {
  const trpc = useTRPC();
  const router = useRouter();
  const ask = useMutation(
    trpc.approvals.create.mutationOptions({
      onSuccess: ({ approval }) => router.push(routes.approvals.read(approval.id)),
    }),
  );
  return (
    <>
      <Button size="sm" pending={ask.isPending} onClick={() => ask.mutate(ACTION)}>
        Ask for one
      </Button>
      <ErrorNotice what="No approval was asked for." error={ask.error} />
    </>
  );
}
