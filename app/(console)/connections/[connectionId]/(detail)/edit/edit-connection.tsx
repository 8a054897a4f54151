"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import { useChangeConnection } from "#app/(console)/connections/[connectionId]/use-change-connection.ts";
import { DateTimeField } from "#components/form/date-time-field.tsx";
import { LinesField } from "#components/form/lines-field.tsx";
import { SideModalForm } from "#components/form/side-modal-form.tsx";
import { TextField } from "#components/form/text-fields.tsx";
import { useForm } from "#components/form/use-form.ts";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";

export function EditConnection({ connectionId }: { connectionId: string }) {
  const trpc = useTRPC();
  const { connection } = useSuspenseQuery(trpc.connections.read.queryOptions({ connectionId })).data;
  const { label, allowedHosts, tokenUrl, expiresAt } = connection;
  const change = useChangeConnection(connectionId, "Connection saved.");
  const form = useForm({
    schema: () => import("#server/connections/schema.ts").then(({ UpdateConnection }) => UpdateConnection),
    initial: { label, allowedHosts, tokenUrl: tokenUrl ?? "", secret: "", expiresAt },
    toInput: (values) => values,
    partial: true,
  });
  return (
    <SideModalForm
      title={`Edit ${connection.label}`}
      parent={routes.connections.read(connectionId)}
      submitLabel="Save connection"
      form={form}
      pending={change.isPending || change.isSuccess}
      error={change.error}
      failed="The connection was not changed."
      onSubmit={(input) => change.mutate({ connectionId, ...input })}
    >
      <TextField label="Label" autoComplete="off" {...form.field("label")} />
      <LinesField
        label="Allowed hosts"
        hint="One per line. More than before need the secret again."
        {...form.field("allowedHosts")}
      />
      {connection.tokenUrl !== null && (
        <TextField
          label="Token address"
          hint="Another one needs the secret again."
          autoComplete="off"
          spellCheck={false}
          {...form.field("tokenUrl")}
        />
      )}
      <TextField
        label="Secret"
        optional
        hint="Needed only with more hosts or another token address."
        type="password"
        autoComplete="new-password"
        spellCheck={false}
        {...form.field("secret")}
      />
      <DateTimeField label="Date of expiry" optional {...form.field("expiresAt")} />
    </SideModalForm>
  );
}
