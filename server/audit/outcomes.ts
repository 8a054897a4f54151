export const OUTCOMES = ["allowed", "denied", "error"] as const;
