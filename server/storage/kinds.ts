/** What the platform counts in its own tables. */
export const KEPT_KINDS = ["runs", "events", "memories", "workflows"] as const;

/** What an account keeps on disk, each with a budget of its own. */
export const STORED_KINDS = [
  "files",
  "artifacts",
  "transfers",
  "results",
  "database",
  ...KEPT_KINDS,
] as const;
