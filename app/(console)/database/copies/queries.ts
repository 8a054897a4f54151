import { counted, defineList, oneOf, period, wordsOf } from "#components/table/list.ts";
import { TRANSFER_STATUSES } from "#server/databases/transfers/statuses.ts";

/** The exports and imports of the database. */
export const copyList = defineList(
  "copies",
  {
    search: { kind: "search", label: "Id" },
    direction: oneOf("Direction", wordsOf(["export", "import"])),
    status: oneOf("Status", wordsOf(TRANSFER_STATUSES)),
    ...period,
  },
  ["createdAt"],
).asking(counted);
