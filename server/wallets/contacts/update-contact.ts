import { sql } from "drizzle-orm";
import { z } from "zod";
import { contacts } from "#db/schema/contacts.ts";
import { operation } from "#server/operation/operation.ts";
import { duplicateOf, oneContact, readOneContact } from "./queries.ts";
import { Contact, ContactParams, UpdateContact } from "./schema.ts";

export const updateContact = operation({
  id: "wallets.contacts.update",
  method: "PATCH",
  path: "/contacts/{contactId}",
  surfaces: ["console"],
  summary: "Update a contact",
  description: "Changes only the fields sent; a `note` of null clears it.",
  scope: "wallets:transact",
  service: "managed-wallets",
  idempotent: true,
  params: ContactParams,
  body: UpdateContact,
  output: z.object({ contact: Contact }),
  errors: ["not_found", "already_exists"],
  examples: { body: { name: "Payroll, Berlin" } },

  async handler({ params, body, caller, db }) {
    await db
      .update(contacts)
      .set({ ...body, updatedAt: sql`clock_timestamp()` })
      .where(oneContact(caller, params.contactId))
      .catch((reason: unknown) => {
        throw duplicateOf(reason, body.address);
      });
    return { contact: await readOneContact(db, caller, params.contactId) };
  },
});
