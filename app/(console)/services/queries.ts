import { counted, defineList, oneOf, search, wordsOf } from "#components/table/list.ts";
import { SERVICE_STATUSES } from "#server/catalogue/statuses.ts";

export const serviceList = defineList("services", {
  search,
  status: oneOf("Status", wordsOf(SERVICE_STATUSES)),
}).asking((query) => counted({ limit: 100, ...query }));

/** Finds one of any number of services by its id. */
export const serviceQuery = (serviceId: string) => ({ search: serviceId, limit: 100 });

/** Finds one of any number of a service's operations by its id. */
export const operationQuery = (serviceId: string, operationId: string) => ({
  serviceId,
  search: operationId,
  limit: 100,
});

/** The operations of a service. */
export const operationList = defineList("operations", {
  search,
  mode: oneOf("Use", [
    { value: "invoke", label: "Invoke" },
    { value: "run", label: "Run" },
  ]),
}).asking((query) => ({ limit: 100, ...query }));
