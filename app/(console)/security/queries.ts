/** The newest apps with access. */
export const appsQuery = (whose: "mine" | "all") => ({ whose, limit: 100 });
