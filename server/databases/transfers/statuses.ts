export const TRANSFER_STATUSES = [
  "pending",
  "uploading",
  "validating",
  "applying",
  "completed",
  "building",
  "ready",
  "failed",
  "cancelled",
  "expired",
] as const;
