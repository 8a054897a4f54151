import { counted, defineList, oneOf, search, wordsOf } from "#components/table/list.ts";
import { CONNECTION_STATUSES } from "#server/connections/statuses.ts";

export const connectionList = defineList(
  "connections",
  { search, status: oneOf("Status", wordsOf(CONNECTION_STATUSES)) },
  ["createdAt", "label"],
).asking(counted);
