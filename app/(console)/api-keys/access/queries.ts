export const filterNames = ["key", "operation"] as const;

/** The keys that are offered; another one is chosen on its own page. */
export const choosable = { status: "active", limit: 100 } as const;
