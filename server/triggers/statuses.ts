export const TRIGGER_STATUSES = ["active", "paused", "ended"] as const;

/** A trigger's sources of runs: its schedule, events, or deliveries to its inbound webhook. */
export const TRIGGER_KINDS = ["schedule", "event", "webhook"] as const;
