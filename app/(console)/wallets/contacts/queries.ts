import { counted, defineList, search } from "#components/table/list.ts";

export const contactList = defineList("contacts", { search }, ["createdAt", "name"]).asking(counted);
