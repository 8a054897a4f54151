import { counted, defineList, period, search } from "#components/table/list.ts";

/** The connected apps of a person, or for admins those of every member. */
export const appList = defineList("apps", { search, ...period }, ["createdAt"]).asking(counted);
