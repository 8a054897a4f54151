import { sql } from "drizzle-orm";
import { z } from "zod";
import { contacts } from "#db/schema/contacts.ts";
import { newId } from "#server/base/ids.ts";
import { operation } from "#server/operation/operation.ts";
import { assignmentOf, spaceOf } from "#server/operation/tenancy.ts";
import { duplicateOf, readOneContact } from "./queries.ts";
import { Contact, CreateContact } from "./schema.ts";

export const createContact = operation({
  id: "wallets.contacts.create",
  method: "POST",
  path: "/contacts",
  surfaces: ["console"],
  summary: "Create a contact",
  description:
    "Names an address, once per project or end user. Approvers see the name when they decide, so naming requires the scope that moves money.",
  scope: "wallets:transact",
  service: "managed-wallets",
  idempotent: true,
  body: CreateContact,
  output: z.object({ contact: Contact }),
  status: 201,
  errors: ["already_exists"],
  examples: { body: { name: "Payroll", address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8" } },

  async handler({ body: { name, address, note = null }, caller, db }) {
    const assignment = await assignmentOf(db, caller);
    const id = newId("contact");
    await db
      .insert(contacts)
      .values({ ...assignment, id, space: spaceOf(assignment), name, address, note, updatedAt: sql`now()` })
      .catch((reason: unknown) => {
        throw duplicateOf(reason, address);
      });
    return { contact: await readOneContact(db, caller, id) };
  },
});
