/** The newest of each: whether there is any, and which one to go on with. */
export const projectsQuery = { limit: 1 };
export const keysQuery = { limit: 25 };
