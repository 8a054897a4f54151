"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ContactFields, toContactInput } from "#app/(console)/wallets/contacts/contact-fields.tsx";
import { SideModalForm } from "#components/form/side-modal-form.tsx";
import { useForm } from "#components/form/use-form.ts";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { useCloseTo } from "#components/ui/close-side-modal.ts";
import { toast } from "#components/ui/toast.tsx";

export function NewContact() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const parent = routes.contacts.list();
  const close = useCloseTo(parent);
  const create = useMutation(
    trpc.wallets.contacts.create.mutationOptions({
      async onSuccess() {
        await queries.invalidateQueries(trpc.wallets.pathFilter());
        toast("Contact created.");
        close();
      },
    }),
  );
  const form = useForm({
    schema: () => import("#server/wallets/contacts/schema.ts").then(({ CreateContact }) => CreateContact),
    initial: { name: "", address: "", note: "" },
    toInput: toContactInput,
  });
  return (
    <SideModalForm
      title="New contact"
      parent={parent}
      submitLabel="Create contact"
      form={form}
      pending={create.isPending || create.isSuccess}
      error={create.error}
      failed="The contact was not created."
      onSubmit={(input) => create.mutate(input)}
    >
      <ContactFields form={form} />
    </SideModalForm>
  );
}
