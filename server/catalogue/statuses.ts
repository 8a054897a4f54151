export const SERVICE_STATUSES = ["available", "degraded", "unavailable"] as const;
