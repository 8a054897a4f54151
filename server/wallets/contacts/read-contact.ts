import { z } from "zod";
import { operation } from "#server/operation/operation.ts";
import { readOneContact } from "./queries.ts";
import { Contact, ContactParams } from "./schema.ts";

export const readContact = operation({
  id: "wallets.contacts.read",
  method: "GET",
  path: "/contacts/{contactId}",
  surfaces: ["console"],
  summary: "Read a contact",
  scope: "wallets:read",
  service: "managed-wallets",
  params: ContactParams,
  output: z.object({ contact: Contact }),
  errors: ["not_found"],

  async handler({ params, caller, db }) {
    return { contact: await readOneContact(db, caller, params.contactId) };
  },
});
