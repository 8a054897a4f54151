import type { Metadata } from "next";
import type { ReactNode } from "react";
import { ContactList } from "#app/(console)/wallets/contacts/contact-list.tsx";
import { contactList } from "#app/(console)/wallets/contacts/queries.ts";
import { may } from "#app/current-person.ts";
import { Hydrate, prefetch, trpc } from "#app/trpc-server.tsx";
import { wantedFilters } from "#components/table/wanted-filters.ts";

export const metadata: Metadata = { title: "Address book" };

export default async function ContactsLayout({ children }: { children: ReactNode }) {
  const asked = contactList.query(await wantedFilters(contactList.names));
  await prefetch(trpc.wallets.contacts.list.queryOptions(asked));
  return (
    <Hydrate>
      <ContactList mayWrite={await may("wallets:transact")} />
      {children}
    </Hydrate>
  );
}
