/** The newest of each: whether there is any, and which one to go on with. Of two projects one may be the sample. */
export const projectsQuery = { limit: 2 };
export const keysQuery = { limit: 25 };

export const wasUsed = ({ lastUsedAt }: { lastUsedAt: string | null }) => lastUsedAt !== null;

/** The last request of a key that was not refused. */
export const answeredCall = (keyId: string | undefined) => ({ keyId, outcome: "allowed" as const, limit: 1 });

/** The first of what waits, and the last of what was asked: what people only looked at here is left out. */
export const waitingQuery = { status: "pending" as const, limit: 5 };
export const latestQuery = { limit: 6, consoleReads: "exclude" as const };
