/** The query of a list of choices: the newest hundred, or those whose names contain a text. */
export const choicesQuery = (search = "") => ({ limit: 100, ...(search && { search }) });

/** The projects that resources can be added to. */
export const activeProjectsQuery = (search = "") => ({ ...choicesQuery(search), status: "active" as const });

/** The active keys. */
export const activeKeysQuery = (search = "") => ({ ...choicesQuery(search), status: "active" as const });

/** The stored workflows that can be started. */
export const activeStoredQuery = (search = "") => ({ ...choicesQuery(search), status: "active" as const });

/** The connections that can be used. */
export const activeConnectionsQuery = (search = "") => ({
  ...choicesQuery(search),
  status: "active" as const,
});
