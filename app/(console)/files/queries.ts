import { counted, defineList, endUser, period, search, text } from "#components/table/list.ts";

export const fileList = defineList(
  "files",
  {
    search,
    purpose: text("Purpose"),
    endUser,
    ...period,
  },
  ["createdAt", "name"],
).asking(counted);
