import { defineList, oneOf, search, wordsOf } from "#components/table/list.ts";

export const serviceList = defineList("services", {
  search,
  status: oneOf("Status", wordsOf(["available", "degraded", "unavailable"])),
}).asking((query) => ({ limit: 100, ...query }));
