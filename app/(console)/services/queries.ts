import { defineList, oneOf, search, wordsOf } from "#components/table/list.ts";

export const serviceList = defineList("services", {
  search,
  status: oneOf("Status", wordsOf(["available", "degraded", "unavailable"])),
});

/** As many as a page has. */
export const SERVICES = 100;
