export const ORDER_STATUSES = [
  "pending",
  "awaiting_approval",
  "open",
  "partially_filled",
  "filled",
  "cancelled",
  "expired",
  "rejected",
] as const;

export const SIDES = ["buy", "sell"] as const;
