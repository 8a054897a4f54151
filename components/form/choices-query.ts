/** What a list of choices asks for: its newest hundred, or those whose name contains a text. */
export const choicesQuery = (search = "") => ({ limit: 100, ...(search && { search }) });

/** The projects that things can be put into. */
export const activeProjectsQuery = (search = "") => ({ ...choicesQuery(search), status: "active" as const });

/** The keys that work. */
export const activeKeysQuery = (search = "") => ({ ...choicesQuery(search), status: "active" as const });

/** The stored workflows that can be started. */
export const activeStoredQuery = (search = "") => ({ ...choicesQuery(search), status: "active" as const });
