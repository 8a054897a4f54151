/** The limits of a workflow; published in `/pricing`. */
export const WORKFLOW_LIMITS = {
  maximumSteps: 200,
  maximumDepth: 8,
  maximumBytes: 262_144,
  maximumExpressionCharacters: 4000,
  maximumConcurrency: 20,
  maximumItems: 1000,
  maximumBranches: 10,
  maximumIterations: 1000,
  maximumOutputBytes: 4_194_304,
} as const;

/** The limits of stored workflows; published in `/pricing`. */
export const STORED_LIMITS = {
  /** Stored workflows of one project; archived ones do not count. */
  maximumStoredWorkflows: 500,
  /** A workflow's JSON together with its input schema's. */
  maximumStoredBytes: 262_144,
  /** Older versions are deleted, except those with live runs. */
  keptVersions: 100,
  /** The maximum depth of child runs, each waiting for the next. */
  maximumRunDepth: 5,
} as const;
