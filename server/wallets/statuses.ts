export const WALLET_STATUSES = ["active", "frozen"] as const;

/** How long a deposit that a reorganisation removed may be missing, in milliseconds; then it has failed. */
export const MISSING_DEPOSIT_MS = 3_600_000;
