export const KEY_STATUSES = ["active", "expired", "revoked"] as const;
