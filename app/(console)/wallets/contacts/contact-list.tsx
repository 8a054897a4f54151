"use client";

import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { contactsQuery, filterNames } from "#app/(console)/wallets/contacts/queries.ts";
import { WalletTabs } from "#app/(console)/wallets/wallet-tabs.tsx";
import { useChosenProject } from "#components/chosen-project.ts";
import { routes } from "#components/routes.ts";
import type { Column } from "#components/table/column.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { FilterBar, FilterSearch, NoMatches } from "#components/table/filter-bar.tsx";
import { Pagination, useCursor } from "#components/table/pagination.tsx";
import { useFilters } from "#components/table/use-filters.ts";
import { useTRPC } from "#components/trpc.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { Copyable } from "#components/ui/copyable.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { RelativeTime } from "#components/ui/time.tsx";
import { toast } from "#components/ui/toast.tsx";
import type { Contact } from "#server/wallets/contacts/schema.ts";

const columns: Column<Contact>[] = [
  { header: "Name", cell: ({ name }) => <bdi>{name}</bdi> },
  { header: "Address", cell: ({ address }) => <Copyable value={address} />, width: "11rem" },
  { header: "Note", cell: ({ note }) => note && <bdi>{note}</bdi>, minor: true },
  {
    header: "First used",
    cell: ({ firstUsedAt }) => <RelativeTime at={firstUsedAt} />,
    width: "8rem",
    minor: true,
  },
  { header: "Last used", cell: ({ lastUsedAt }) => <RelativeTime at={lastUsedAt} />, width: "8rem" },
];

/** The names that people have given to addresses. */
export function ContactList({ mayWrite }: { mayWrite: boolean }) {
  const trpc = useTRPC();
  const filters = useFilters(filterNames);
  const query = trpc.wallets.contacts.list.queryOptions(contactsQuery(filters.values, useCursor()));
  const list = useQuery({ ...query, placeholderData: keepPreviousData });
  const [deleting, setDeleting] = useState<Contact | null>(null);
  return (
    <Page>
      <PageHeader
        title="Wallets"
        sentence="The address book names addresses. The names stand beside the addresses wherever people send, decide and look."
        action={
          mayWrite && (
            <ButtonLink variant="primary" href={routes.contacts.create()}>
              New contact
            </ButtonLink>
          )
        }
      />
      <WalletTabs />
      <FilterBar filters={filters}>
        <FilterSearch filters={filters} name="search" label="Search" />
      </FilterBar>
      <ErrorNotice what="The address book could not be loaded." error={list.error} />
      <DataTable
        label="Contacts"
        columns={columns}
        rows={list.data?.contacts}
        failed={list.isError}
        rowId={({ id }) => id}
        rowHref={({ id }) => routes.contacts.read(id)}
        {...(mayWrite && {
          rowMenu: (contact: Contact) => [
            { label: "Edit", href: routes.contacts.read(contact.id) },
            { label: "Delete", danger: true, onSelect: () => setDeleting(contact) },
          ],
        })}
        empty={filters.active ? <NoMatches filters={filters} /> : <NoContacts />}
        footer={<Pagination nextCursor={list.data?.nextCursor ?? null} />}
      />
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
        // A person would make one of another project, or of no end user.
        const isAlike = projectId === chosen && endUser === null;
        toast("Contact deleted.", isAlike ? { undo: () => create.mutate({ name, address, note }) } : {});
      },
    }),
  );
  return (
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
