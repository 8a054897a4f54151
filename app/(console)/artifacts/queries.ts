import { counted, defineList, period, search, text } from "#components/table/list.ts";

export const artifactList = defineList(
  "artifacts",
  { search, serviceId: { kind: "service", label: "Service" }, runId: text("Run id"), ...period },
  ["createdAt", "name"],
).asking(counted);
