import type { Metadata } from "next";
import type { ReactNode } from "react";
import { ContactList } from "#app/(console)/wallets/contacts/contact-list.tsx";
import { contactsQuery } from "#app/(console)/wallets/contacts/queries.ts";
import { may } from "#app/current-person.ts";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";
import { wantedFilters } from "#components/table/wanted-filters.ts";

export const metadata: Metadata = { title: "Address book" };

export default async function ContactsLayout({ children }: { children: ReactNode }) {
  const { cursor, ...filters } = await wantedFilters(["search", "cursor"]);
  await prefetch(trpc.wallets.contacts.list.queryOptions(contactsQuery(filters, cursor)));
  return (
    <Hydrate>
      <ContactList mayWrite={await may("wallets:transact")} />
      {children}
    </Hydrate>
  );
}
