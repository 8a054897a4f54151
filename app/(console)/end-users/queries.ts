import { counted, defineList, period, search } from "#components/table/list.ts";

export const endUserList = defineList("end-users", { search, ...period }, ["createdAt", "externalId"]).asking(
  counted,
);

/** Returns the query of the newest resource of an end user, counted with all the others. */
export const newestOf = (externalId: string) => counted({ endUser: externalId, limit: 1 });

/** Returns the query of the newest run of an end user, likewise. */
export const newestRunOf = (externalId: string) => ({
  ...newestOf(externalId),
  timeline: "exclude" as const,
});
