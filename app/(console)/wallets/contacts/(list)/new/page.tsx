import type { Metadata } from "next";
import { LazyNewContact } from "#app/(console)/wallets/contacts/(list)/new/lazy-new-contact.tsx";

export const metadata: Metadata = { title: "New contact" };

export default function NewContactPage() {
  return <LazyNewContact />;
}
