import { counted, defineList, period, search } from "#components/table/list.ts";

export const contactList = defineList("contacts", { search, ...period }, ["createdAt", "name"]).asking(
  counted,
);
