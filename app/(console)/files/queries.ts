import { counted, defineList, linked, period, search, text } from "#components/table/list.ts";

export const fileList = defineList(
  "files",
  {
    search,
    purpose: text("Purpose"),
    // Set only by links from other pages.
    name: text(null),
    endUser: linked("End user"),
    ...period,
  },
  ["createdAt", "name"],
).asking(counted);
