"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { bodyOf, emptyConnection } from "#app/(console)/connections/(list)/new/connection-values.ts";
import { OwnFields } from "#app/(console)/connections/(list)/new/own-fields.tsx";
import { authTypes } from "#app/(console)/connections/auth-types.ts";
import { DateTimeField } from "#components/form/date-time-field.tsx";
import { KeyValueField } from "#components/form/key-value-field.tsx";
import { LinesField } from "#components/form/lines-field.tsx";
import { SideModalForm } from "#components/form/side-modal-form.tsx";
import { SelectField, TextField } from "#components/form/text-fields.tsx";
import { useForm } from "#components/form/use-form.ts";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { toast } from "#components/ui/toast.tsx";
import { useRouter } from "#components/ui/use-router.ts";

export function NewConnection() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const router = useRouter();
  const create = useMutation(
    trpc.connections.create.mutationOptions({
      async onSuccess({ connection }) {
        await queries.invalidateQueries(trpc.connections.pathFilter());
        toast(`${connection.label} is made.`);
        router.push(routes.connections.read(connection.id));
      },
    }),
  );
  const form = useForm({
    schema: () => import("#server/connections/schema.ts").then(({ CreateConnection }) => CreateConnection),
    initial: emptyConnection,
    toInput: bodyOf,
  });
  return (
    <SideModalForm
      title="New connection"
      parent={routes.connections.list()}
      submitLabel="Create connection"
      form={form}
      pending={create.isPending || create.isSuccess}
      error={create.error}
      failed="The connection was not created."
      onSubmit={(input) => create.mutate(input)}
    >
      <TextField label="Label" autoComplete="off" {...form.field("label")} />
      <TextField
        label="Provider"
        hint="The outside system, in words of your own."
        autoComplete="off"
        {...form.field("provider")}
      />
      <SelectField label="Sent as" options={authTypes} {...form.field("authType")} />
      <OwnFields form={form} />
      <TextField
        label="Secret"
        hint="Sealed at once. Nobody can read it again, you included; you can send another one."
        type="password"
        autoComplete="new-password"
        spellCheck={false}
        {...form.field("secret")}
      />
      <LinesField
        label="Allowed hosts"
        hint="One per line: api.example.com, api.example.com:8443, or *.example.com. It is sent nowhere else."
        {...form.field("allowedHosts")}
      />
      <DateTimeField label="Date of expiry" optional {...form.field("expiresAt")} />
      <KeyValueField label="Metadata" optional {...form.field("metadata")} />
    </SideModalForm>
  );
}
