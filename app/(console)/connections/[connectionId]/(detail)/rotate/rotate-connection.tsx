"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import { useChangeConnection } from "#app/(console)/connections/[connectionId]/use-change-connection.ts";
import { SideModalForm } from "#components/form/side-modal-form.tsx";
import { TextField } from "#components/form/text-fields.tsx";
import { useForm } from "#components/form/use-form.ts";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";

export function RotateConnection({ connectionId }: { connectionId: string }) {
  const trpc = useTRPC();
  const { connection } = useSuspenseQuery(trpc.connections.read.queryOptions({ connectionId })).data;
  const change = useChangeConnection(connectionId, "Another secret is in use.");
  const form = useForm({
    // The secret is optional in an update, but required for a rotation.
    schema: () =>
      import("#server/connections/schema.ts").then(({ UpdateConnection }) =>
        UpdateConnection.required({ secret: true }),
      ),
    initial: { secret: "" },
  });
  return (
    <SideModalForm
      title={`Rotate ${connection.label}`}
      description="From the next use on it is sent instead of the present one, which is gone."
      parent={routes.connections.read(connectionId)}
      submitLabel="Replace secret"
      form={form}
      pending={change.isPending || change.isSuccess}
      error={change.error}
      failed="The secret was not replaced."
      onSubmit={(input) => change.mutate({ connectionId, ...input })}
    >
      <TextField
        label="New secret"
        hint="Sealed at once. Nobody can read it again."
        type="password"
        autoComplete="new-password"
        spellCheck={false}
        {...form.field("secret")}
      />
    </SideModalForm>
  );
}
