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

/** How an account frees storage of each kind, as words without a full stop, and the call for it, if there is one. */
export const FREEING: Record<(typeof STORED_KINDS)[number], { words: string; call?: string }> = {
  files: { words: "Delete files that are not needed", call: "DELETE /v1/files/{fileId}" },
  artifacts: { words: "Artifacts go when they expire; their list says when", call: "GET /v1/artifacts" },
  transfers: {
    words: "Wait until transfers expire, or cancel those that are not needed",
    call: "DELETE /v1/databases/transfers/{transferId}",
  },
  results: { words: "A result is kept for 15 minutes. Wait, or select less" },
  database: { words: "Delete rows and vacuum, or truncate or drop tables" },
  runs: { words: "Forget ended runs that are not needed", call: "POST /v1/runs/{runId}/forget" },
  events: { words: "Events and deliveries go after 31 days. Wait, or send less" },
  memories: { words: "Delete memories that are not needed", call: "managed-memory delete" },
  workflows: {
    words:
      "The newest 100 versions of each are kept, and newer ones take the place of the oldest. Ask the operator for more",
  },
};
