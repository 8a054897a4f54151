"use client";

import { useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { ContactFields, toContactInput } from "#app/(console)/wallets/contacts/contact-fields.tsx";
import { SideModalForm } from "#components/form/side-modal-form.tsx";
import { useForm } from "#components/form/use-form.ts";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { useCloseTo } from "#components/ui/close-side-modal.ts";
import { Copyable } from "#components/ui/copyable.tsx";
import { Facts } from "#components/ui/section.tsx";
import { SideModal } from "#components/ui/side-modal.tsx";
import { ExactTime, RelativeTime } from "#components/ui/time.tsx";
import { toast } from "#components/ui/toast.tsx";
import type { Contact } from "#server/wallets/contacts/schema.ts";

/** A contact, editable if the person may edit it. */
export function ContactPanel({ contactId, mayWrite }: { contactId: string; mayWrite: boolean }) {
  const trpc = useTRPC();
  const { contact } = useSuspenseQuery(trpc.wallets.contacts.read.queryOptions({ contactId })).data;
  if (mayWrite) return <EditContact contact={contact} />;
  return (
    <SideModal title={contact.name} parent={routes.contacts.list()}>
      <ContactFacts contact={contact} named />
    </SideModal>
  );
}

function EditContact({ contact }: { contact: Contact }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const parent = routes.contacts.list();
  const close = useCloseTo(parent);
  const update = useMutation(
    trpc.wallets.contacts.update.mutationOptions({
      async onSuccess() {
        await queries.invalidateQueries(trpc.wallets.pathFilter());
        toast("Contact saved.");
        close();
      },
    }),
  );
  const form = useForm({
    schema: () => import("#server/wallets/contacts/schema.ts").then(({ UpdateContact }) => UpdateContact),
    initial: { name: contact.name, address: contact.address, note: contact.note ?? "" },
    toInput: toContactInput,
    partial: true,
  });
  return (
    <SideModalForm
      title={contact.name}
      parent={parent}
      submitLabel="Save contact"
      form={form}
      pending={update.isPending || update.isSuccess}
      error={update.error}
      failed="The contact was not changed."
      onSubmit={(input) => update.mutate({ contactId: contact.id, ...input })}
    >
      <ContactFields form={form} />
      <ContactFacts contact={contact} />
    </SideModalForm>
  );
}

function ContactFacts({ contact, named = false }: { contact: Contact; named?: boolean }) {
  const facts = [
    { name: "Address", value: named && <Copyable value={contact.address} full /> },
    { name: "Note", value: named && contact.note },
    { name: "First used", value: <RelativeTime at={contact.firstUsedAt} /> },
    { name: "Last used", value: <RelativeTime at={contact.lastUsedAt} /> },
    { name: "End user", value: contact.endUser },
    { name: "Created", value: <ExactTime at={contact.createdAt} /> },
    { name: "Id", value: <Copyable value={contact.id} full /> },
  ];
  return <Facts items={facts.filter(({ value }) => value)} />;
}
