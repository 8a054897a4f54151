import { authTypes } from "#app/(console)/connections/auth-types.ts";
import {
  counted,
  defineList,
  endUser,
  oneOf,
  period,
  search,
  text,
  wordsOf,
} from "#components/table/list.ts";
import { CONNECTION_STATUSES } from "#server/connections/statuses.ts";

export const connectionList = defineList(
  "connections",
  {
    search,
    status: oneOf("Status", wordsOf(CONNECTION_STATUSES)),
    host: text("Host", 300),
    authType: oneOf("Authentication", authTypes),
    endUser,
    ...period,
  },
  ["createdAt", "label"],
).asking(counted);
