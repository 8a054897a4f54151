import { counted, defineList, linked, period, search, text } from "#components/table/list.ts";

export const fileList = defineList(
  "files",
  {
    search,
    purpose: text("Purpose"),
    endUser: linked("End user"),
    ...period,
  },
  ["createdAt", "name"],
).asking(counted);
