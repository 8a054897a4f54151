export const WALLET_STATUSES = ["active", "frozen"] as const;
