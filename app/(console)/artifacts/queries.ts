import { counted, defineList, endUser, period, search, text } from "#components/table/list.ts";

export const artifactList = defineList(
  "artifacts",
  {
    search,
    serviceId: { kind: "service", label: "Service" },
    runId: text("Run id"),
    endUser,
    ...period,
  },
  ["createdAt", "name"],
).asking(counted);
