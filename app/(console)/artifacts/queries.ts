import { counted, defineList, linked, period, search, text } from "#components/table/list.ts";

export const artifactList = defineList(
  "artifacts",
  {
    search,
    serviceId: { kind: "service", label: "Service" },
    runId: text("Run id"),
    endUser: linked("End user"),
    ...period,
  },
  ["createdAt", "name"],
).asking(counted);
