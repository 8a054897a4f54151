import { z } from "zod";
import { contacts } from "#db/schema/contacts.ts";
import { operation } from "#server/operation/operation.ts";
import { oneContact, readOneContact } from "./queries.ts";
import { Contact, ContactParams } from "./schema.ts";

export const deleteContact = operation({
  id: "wallets.contacts.delete",
  method: "DELETE",
  path: "/contacts/{contactId}",
  surfaces: ["console"],
  summary: "Delete a contact",
  description:
    "The address no longer has a name; policies that allow it still do. Returns the deleted contact.",
  scope: "wallets:transact",
  service: "managed-wallets",
  idempotent: true,
  destructive: true,
  params: ContactParams,
  output: z.object({ contact: Contact }),
  errors: ["not_found"],

  async handler({ params, caller, db }) {
    const contact = await readOneContact(db, caller, params.contactId);
    await db.delete(contacts).where(oneContact(caller, params.contactId));
    return { contact };
  },
});
