/** Returns the id of the child run at this path; null for a step. */
export const runAt = (path: string): string | null => /^(?:run_\w+\/)*(run_\w+)$/.exec(path)?.[1] ?? null;

/** Returns the paths that a path is inside, outermost first. */
export const runsAround = (path: string): string[] =>
  path
    .split("/")
    .slice(0, -1)
    .map((_, nth, ids) => ids.slice(0, nth + 1).join("/"));
