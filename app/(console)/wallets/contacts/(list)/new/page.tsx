import type { Metadata } from "next";
import { NewContact } from "#app/(console)/wallets/contacts/(list)/new/new-contact.tsx";

export const metadata: Metadata = { title: "New contact" };

export default function NewContactPage() {
  return <NewContact />;
}
