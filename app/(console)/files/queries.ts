import { counted, defineList, period, search, text } from "#components/table/list.ts";

export const fileList = defineList(
  "files",
  {
    search,
    purpose: text("Purpose"),
    // Set only by links from other pages.
    name: text(null),
    endUser: text(null),
    ...period,
  },
  ["createdAt", "name"],
).asking(counted);
