import { counted, defineList, oneOf, search, wordsOf } from "#components/table/list.ts";
import { SERVICE_STATUSES } from "#server/catalogue/statuses.ts";

export const serviceList = defineList("services", {
  search,
  status: oneOf("Status", wordsOf(SERVICE_STATUSES)),
}).asking((query) => counted({ limit: 100, ...query }));

/** The operations of a service. */
export const operationList = defineList("operations", {
  search,
  mode: oneOf("Use", [
    { value: "invoke", label: "Invoke" },
    { value: "run", label: "Run" },
  ]),
}).asking((query) => ({ limit: 100, ...query }));
