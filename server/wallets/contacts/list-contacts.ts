import { z } from "zod";
import { allOf } from "#db/conditions.ts";
import { contacts } from "#db/schema/contacts.ts";
import { ADDRESS, matching, searchBy } from "#server/operation/matching.ts";
import { operation } from "#server/operation/operation.ts";
import { CountedPageQuery, nextCursor, pageOf, sortBy, total } from "#server/operation/page.ts";
import { PeriodQuery, within } from "#server/operation/period.ts";
import { visible } from "#server/operation/tenancy.ts";
import { selectContacts, toContact } from "./queries.ts";
import { Contact } from "./schema.ts";

export const listContacts = operation({
  id: "wallets.contacts.list",
  method: "GET",
  path: "/contacts",
  surfaces: ["console"],
  summary: "List contacts",
  description: "Lists the address book, newest first.",
  scope: "wallets:read",
  service: "managed-wallets",
  query: CountedPageQuery.extend({
    search: searchBy("Only contacts whose name or address"),
    ...PeriodQuery.shape,
    sort: sortBy(["name"]),
  }),
  output: z.object({ contacts: z.array(Contact), nextCursor, total }),

  async handler({ query, caller, db }) {
    const page = pageOf("contact", contacts.id, query, { sorts: { name: contacts.name } });
    const { search } = query;
    const condition = allOf(
      visible(contacts, caller),
      search === undefined
        ? undefined
        : matching(search, {
            kind: "contact",
            id: contacts.id,
            columns: [contacts.name],
            plain: { columns: [contacts.address], made: ADDRESS },
          }),
      within(contacts.id, query),
    );
    const found = await selectContacts(db, caller)
      .where(page.where(condition))
      .orderBy(page.order)
      .limit(page.limit);
    const { rows, nextCursor } = page.cut(found);
    const total = await page.total(db, () => selectContacts(db, caller).where(condition), {
      rows,
      nextCursor,
    });
    return { contacts: rows.map(toContact), nextCursor, total };
  },
});
