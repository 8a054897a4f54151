import { SWAP_STATUSES } from "#server/swaps/statuses.ts";
import { ORDER_STATUSES } from "#server/trading/statuses.ts";
import { TRANSACTION_STATUSES } from "../statuses.ts";

/** The statuses of transactions, swaps and orders, each once. */
export const ACTIVITY_STATUSES = [
  ...new Set([...TRANSACTION_STATUSES, ...SWAP_STATUSES, ...ORDER_STATUSES]),
] as const;
