export const TRIGGER_STATUSES = ["active", "paused", "ended"] as const;
