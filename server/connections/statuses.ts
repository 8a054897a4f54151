export const CONNECTION_STATUSES = ["active", "disabled", "broken"] as const;
