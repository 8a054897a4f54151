export const RUN_STATUSES = [
  "queued",
  "running",
  "awaiting_approval",
  "cancelling",
  "cancelled",
  "succeeded",
  "failed",
  "expired",
] as const;
