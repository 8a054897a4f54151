"use client";

import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { contactList } from "#app/(console)/wallets/contacts/queries.ts";
import { WalletTabs } from "#app/(console)/wallets/wallet-tabs.tsx";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { idColumn } from "#components/table/id-column.tsx";
import { ListTable } from "#components/table/list-table.tsx";
import { countedBy, Many } from "#components/table/many.tsx";
import { useList } from "#components/table/use-list.ts";
import { useSelection } from "#components/table/use-selection.ts";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { useChosenProject } from "#components/ui/chosen-project.ts";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { Copyable, shorten } from "#components/ui/copyable.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { plainName } from "#components/ui/plain-name.ts";
import { RelativeTime } from "#components/ui/time.tsx";
import { toast } from "#components/ui/toast.tsx";
import type { Contact } from "#server/wallets/contacts/schema.ts";

const columns: Column<Contact>[] = [
  { header: "Name", cell: ({ name }) => <bdi>{plainName(name)}</bdi>, csv: ({ name }) => name, sort: "name" },
  {
    header: "Address",
    plain: true,
    cell: ({ address }) => <Copyable value={address} />,
    csv: ({ address }) => address,
    width: "11rem",
  },
  {
    header: "Note",
    cell: ({ note }) => note && <bdi>{plainName(note)}</bdi>,
    csv: ({ note }) => note,
    minor: true,
  },
  {
    header: "First used",
    cell: ({ firstUsedAt }) => <RelativeTime at={firstUsedAt} />,
    csv: ({ firstUsedAt }) => firstUsedAt,
    width: "8rem",
    minor: true,
  },
  {
    header: "Last used",
    cell: ({ lastUsedAt }) => <RelativeTime at={lastUsedAt} />,
    csv: ({ lastUsedAt }) => lastUsedAt,
    width: "8rem",
  },
  {
    header: "Created",
    plain: true,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    csv: ({ createdAt }) => createdAt,
    sort: "createdAt",
    optional: true,
    width: "8rem",
  },
  idColumn,
];

/** The names that people have given to addresses. */
export function ContactList({ mayWrite }: { mayWrite: boolean }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const state = useList(contactList);
  const query = trpc.wallets.contacts.list.queryOptions(state.query);
  const list = useQuery({ ...query, placeholderData: keepPreviousData });
  const queries = useQueryClient();
  const selection = useSelection<Contact>({ idOf: ({ id }) => id, nameOf: ({ name }) => name });
  const [deleting, setDeleting] = useState<Contact | null>(null);
  return (
    <Page>
      <PageHeader
        title="Wallets"
        sentence="The address book names addresses. The console shows the names beside the addresses everywhere."
        action={
          mayWrite && (
            <ButtonLink variant="primary" href={routes.contacts.create()}>
              New contact
            </ButtonLink>
          )
        }
      />
      <WalletTabs />
      <ListTable
        state={state}
        label="Contacts"
        columns={columns}
        list={list}
        failed="The address book could not be loaded."
        ask={client.wallets.contacts.list.query}
        rowsOf={({ contacts }) => contacts}
        rowHref={({ id }) => `${routes.contacts.read(id)}${state.suffix}`}
        {...(mayWrite && {
          selection,
          rowMenu: (contact: Contact) => [
            { label: "Edit", href: `${routes.contacts.read(contact.id)}${state.suffix}` },
            { label: "Delete", danger: true, onSelect: () => setDeleting(contact) },
          ],
        })}
        empty={<NoContacts />}
      >
        <Many
          selection={selection}
          counted={countedBy("contact")}
          noteOf={({ address }) => <span className="font-mono">{shorten(address)}</span>}
          actions={[
            {
              verb: "Delete",
              danger: true,
              text: "Their addresses have no name from then on. Policies that allow them still do, and nothing that was sent changes.",
              act: ({ id }) => client.wallets.contacts.delete.mutate({ contactId: id }),
            },
          ]}
          refresh={() => queries.invalidateQueries(trpc.wallets.pathFilter())}
        />
      </ListTable>
      <DeleteContact contact={deleting} onClose={() => setDeleting(null)} />
    </Page>
  );
}

function DeleteContact({ contact, onClose }: { contact: Contact | null; onClose: () => void }) {
  const chosen = useChosenProject();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries(trpc.wallets.pathFilter());
  const create = useMutation(trpc.wallets.contacts.create.mutationOptions({ onSuccess: refresh }));
  const remove = useMutation(
    trpc.wallets.contacts.delete.mutationOptions({
      async onSuccess({ contact: { name, address, note, projectId, endUser } }) {
        onClose();
        await refresh();
        // Undoing creates the contact again. A person can create contacts of the chosen project, but not of an end user.
        const isAlike = projectId === chosen && endUser === null;
        toast("Contact deleted.", isAlike ? { undo: () => create.mutate({ name, address, note }) } : {});
      },
    }),
  );
  return (
    <>
      <ErrorNotice what="The contact was not created again." error={create.error} />
      <ConfirmDialog
        open={contact !== null}
        onOpenChange={onClose}
        title={`Delete “${contact?.name}”?`}
        action="Delete"
        danger
        pending={remove.isPending}
        error={remove.error}
        onConfirm={() => contact && remove.mutate({ contactId: contact.id })}
      >
        <p className="break-words">
          {contact?.address} has no name from then on. Policies that allow it still do, and nothing that was
          sent changes.
        </p>
      </ConfirmDialog>
    </>
  );
}

function NoContacts() {
  return (
    <EmptyState title="No contacts yet">
      Name the addresses that your wallets send to, such as a payroll provider or an exchange. Approvers then
      read the name beside the address, and policies and sends pick from the list.
    </EmptyState>
  );
}
