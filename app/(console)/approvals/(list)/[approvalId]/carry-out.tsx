"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Approval } from "#app/(console)/approvals/words.ts";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import { Button } from "#components/ui/button.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { toast } from "#components/ui/toast.tsx";

type Client = ReturnType<typeof useTRPCClient>;
type PolicyUpdate = Parameters<Client["wallets"]["policy"]["update"]["mutate"]>[0];

/** The platform's own operations that an approved service action allows, by service and operation. */
const own: Record<
  string,
  { label: string; done: string; call(client: Client, approvalId: string, input: unknown): Promise<unknown> }
> = {
  "managed-wallets policy.update": {
    label: "Change the policy",
    done: "Policy saved.",
    call: (client, approvalId, input) =>
      client.wallets.policy.update.mutate({ ...(input as PolicyUpdate), approvalId }),
  },
  "managed-database deprovision": {
    label: "Remove the database",
    done: "The database is being removed.",
    call: (client, approvalId) => client.databases.account.deprovision.mutate({ approvalId }),
  },
};

const actionOf = ({ subject }: Approval) => own[`${subject.serviceId} ${subject.operationId}`];

/** The button that executes an approved action, once and exactly as approved. */
export function CarryOut({ approval }: { approval: Approval }) {
  const { id, payload } = approval;
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queries = useQueryClient();
  const action = actionOf(approval);
  const { input } = (payload ?? {}) as { input?: unknown };
  const carryOut = useMutation({
    mutationFn: async () => action?.call(client, id, input),
    async onSuccess() {
      const changed = [trpc.approvals.pathFilter(), trpc.wallets.pathFilter(), trpc.databases.pathFilter()];
      await Promise.all(changed.map((filter) => queries.invalidateQueries(filter)));
      if (action) toast(action.done);
    },
  });
  if (!action) return null;
  // A strict key's payload is forgotten once it is decided.
  if (input === undefined) return <p>Only the key that asked for it can carry it out.</p>;
  return (
    <>
      <ErrorNotice what="It was not carried out." error={carryOut.error} />
      <Button
        variant="danger"
        className="self-start"
        pending={carryOut.isPending || carryOut.isSuccess}
        onClick={() => carryOut.mutate()}
      >
        {action.label}
      </Button>
    </>
  );
}
