export const WORKFLOW_STATUSES = ["active", "archived"] as const;
