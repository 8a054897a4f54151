import { counted, defineList, oneOf, search, wordsOf } from "#components/table/list.ts";
import { SERVICE_STATUSES } from "#server/catalogue/statuses.ts";

export const serviceList = defineList("services", {
  search,
  status: oneOf("Status", wordsOf(SERVICE_STATUSES)),
}).asking((query) => counted({ limit: 100, ...query }));
