/**
 * The newest projects and keys: they show whether any exist, and which to continue with. One of two projects may be the
 * sample.
 */
export const projectsQuery = { limit: 2 };
export const keysQuery = { limit: 25 };

export const wasUsed = ({ lastUsedAt }: { lastUsedAt: string | null }) => lastUsedAt !== null;

/** Returns the query for a key's last request that was not refused. */
export const answeredCall = (keyId: string | undefined) => ({ keyId, outcome: "allowed" as const, limit: 1 });

/** The first pending approvals, and the latest requests without reads from the console. */
export const waitingQuery = { status: "pending" as const, limit: 5 };
export const latestQuery = { limit: 6, consoleReads: "exclude" as const };
