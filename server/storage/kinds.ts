/** The kinds of content that the platform counts in its own tables. */
export const KEPT_KINDS = ["runs", "events", "memories", "workflows"] as const;

/** The kinds of content that an account stores, each with a budget of its own. */
export const STORED_KINDS = [
  "files",
  "artifacts",
  "transfers",
  "results",
  "database",
  ...KEPT_KINDS,
] as const;
