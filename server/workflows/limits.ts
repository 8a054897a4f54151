/** What a workflow may measure; published in `/pricing`. */
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

/** What stored workflows may measure; published in `/pricing`. */
export const STORED_LIMITS = {
  /** Of one project; archived ones do not count. */
  maximumStoredWorkflows: 500,
  /** A workflow's JSON together with its input schema's. */
  maximumStoredBytes: 262_144,
  /** Older ones are dropped, except those that live runs are of. */
  keptVersions: 100,
  /** How many runs may be below one, each waiting for the next. */
  maximumRunDepth: 5,
} as const;
