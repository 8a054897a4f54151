export const SWAP_STATUSES = [
  "awaiting_approval",
  "pending",
  "source_submitted",
  "source_confirmed",
  "filling",
  "completed",
  "refunding",
  "refunded",
  "failed",
] as const;

export const ROUTE_STATUSES = [
  "prepared",
  "observed",
  "filling",
  "completed",
  "refunded",
  "expired",
  "failed",
] as const;
