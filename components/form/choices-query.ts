/** What a list of choices asks for: its newest hundred, or those whose name contains a text. */
export const choicesQuery = (search = "") => ({ limit: 100, ...(search && { search }) });

/** The projects that things can be put into. */
export const activeProjectsQuery = (search = "") => ({ ...choicesQuery(search), status: "active" as const });
