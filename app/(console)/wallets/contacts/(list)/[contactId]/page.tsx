import type { Metadata } from "next";
import { LazyContactPanel } from "#app/(console)/wallets/contacts/(list)/[contactId]/lazy-contact-panel.tsx";
import { may } from "#app/current-person.ts";
import { Hydrate, prefetchSubject, trpc } from "#app/trpc-server.tsx";

export const metadata: Metadata = { title: "Contact" };

export default async function ContactPage({ params }: { params: Promise<{ contactId: string }> }) {
  const { contactId } = await params;
  await prefetchSubject(trpc.wallets.contacts.read.queryOptions({ contactId }));
  return (
    <Hydrate>
      <LazyContactPanel contactId={contactId} mayWrite={await may("wallets:transact")} />
    </Hydrate>
  );
}
