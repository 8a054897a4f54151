/**
 * The newest projects and keys: they show whether any exist, and which to continue with. Some projects may be samples,
 * also removed ones.
 */
export const projectsQuery = { limit: 25 };
export const keysQuery = { limit: 25 };

/** The highest number of keys whose requests are read. */
export const MAX_TRIED = 5;

export const wasUsed = ({ lastUsedAt }: { lastUsedAt: string | null }) => lastUsedAt !== null;

/** Returns the newest keys that were used. The requests of some of them may all have been refused. */
export const usedOf = <Key extends { lastUsedAt: string | null }>(keys: readonly Key[]) =>
  keys.filter(wasUsed).slice(0, MAX_TRIED);

/** Returns the query for a key's last request that was not refused. */
export const answeredCall = (keyId: string | undefined) => ({ keyId, outcome: "allowed" as const, limit: 1 });

/** The first pending approvals, and the latest requests without reads from the console. */
export const waitingQuery = { status: "pending" as const, limit: 5 };
export const latestQuery = { limit: 6, consoleReads: "exclude" as const };
