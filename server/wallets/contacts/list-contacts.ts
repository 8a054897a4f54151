import { z } from "zod";
import { allOf, anyOf } from "#db/conditions.ts";
import { contacts } from "#db/schema/contacts.ts";
import { operation } from "#server/operation/operation.ts";
import { contains, nextCursor, PageQuery, pageOf, searchBy } from "#server/operation/page.ts";
import { visible } from "#server/operation/tenancy.ts";
import { selectContacts, toContact } from "./queries.ts";
import { Contact } from "./schema.ts";

export const listContacts = operation({
  id: "wallets.contacts.list",
  method: "GET",
  path: "/contacts",
  surfaces: ["console"],
  summary: "List contacts",
  description: "The address book, newest first.",
  scope: "wallets:read",
  service: "managed-wallets",
  query: PageQuery.extend({ search: searchBy("Only contacts whose name or address") }),
  output: z.object({ contacts: z.array(Contact), nextCursor }),

  async handler({ query, caller, db }) {
    const page = pageOf("contact", contacts.id, query);
    const { search } = query;
    const found = await selectContacts(db, caller)
      .where(
        page.where(
          allOf(
            visible(contacts, caller),
            search ? anyOf(contains(contacts.name, search), contains(contacts.address, search)) : undefined,
          ),
        ),
      )
      .orderBy(page.order)
      .limit(page.limit);
    const { rows, nextCursor } = page.cut(found);
    return { contacts: rows.map(toContact), nextCursor };
  },
});
