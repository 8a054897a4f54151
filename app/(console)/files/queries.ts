import { counted, defineList, period, search, text } from "#components/table/list.ts";

export const fileList = defineList(
  "files",
  {
    search,
    purpose: text("Purpose"),
    // By addresses of other pages alone.
    name: text(null),
    endUser: text(null),
    ...period,
  },
  ["createdAt", "name"],
).asking(counted);
