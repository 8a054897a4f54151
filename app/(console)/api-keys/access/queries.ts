export const filterNames = ["key", "operation"] as const;
