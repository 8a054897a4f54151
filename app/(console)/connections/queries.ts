import { defineList, oneOf, search, wordsOf } from "#components/table/list.ts";

export const connectionList = defineList(
  "connections",
  { search, status: oneOf("Status", wordsOf(["active", "disabled", "broken"])) },
  ["createdAt", "label"],
);
