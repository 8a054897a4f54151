export const WEBHOOK_STATUSES = ["active", "paused", "disabled"] as const;

/** The outcomes of a delivery's attempts. */
export const DELIVERY_ENDS = ["succeeded", "failed", "abandoned"] as const;

export const DELIVERY_STATUSES = ["pending", ...DELIVERY_ENDS] as const;
