export const PROJECT_STATUSES = ["active", "archived"] as const;
