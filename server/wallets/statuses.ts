export const WALLET_STATUSES = ["active", "frozen"] as const;

export const TRANSACTION_STATUSES = [
  "awaiting_approval",
  "reserved",
  "signed",
  "broadcast",
  "confirmed",
  "failed",
  "rejected",
  "cancelled",
  "expired",
] as const;

/** How long a deposit that a reorganisation removed may be missing, in milliseconds; then it has failed. */
export const MISSING_DEPOSIT_MS = 3_600_000;
