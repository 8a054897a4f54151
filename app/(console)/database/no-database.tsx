"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { curlOf, useOrigin } from "#components/curl.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Button } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { toast } from "#components/ui/toast.tsx";

/** Explains the purpose of a database, with the button that creates one. */
export function NoDatabase() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const provision = useMutation(
    trpc.databases.account.provision.mutationOptions({
      async onSuccess() {
        await queries.invalidateQueries(trpc.databases.account.read.queryFilter());
        toast("The database is ready.");
      },
    }),
  );
  const call = { method: "POST", path: "/databases/account", idempotent: true, body: {} } as const;
  return (
    <>
      <ErrorNotice what="The database was not provisioned." error={provision.error} />
      <div className="rounded-md border">
        <EmptyState
          title="No database yet"
          action={
            <Button variant="primary" pending={provision.isPending} onClick={() => provision.mutate({})}>
              Provision database
            </Button>
          }
          curl={curlOf(useOrigin(), call)}
        >
          Keys with databases:read query it, keys with databases:write change it: in SQL, or by actions on
          tables and rows that are applied together or not at all.
        </EmptyState>
      </div>
    </>
  );
}
