export const WEBHOOK_STATUSES = ["active", "paused", "disabled"] as const;

/** How the attempts of a delivery have ended. */
export const DELIVERY_ENDS = ["succeeded", "failed", "abandoned"] as const;

export const DELIVERY_STATUSES = ["pending", ...DELIVERY_ENDS] as const;
