/** Returns a name as SQL's quoted identifier. */
export const quoteIdentifier = (name: string) => `"${name.replaceAll('"', '""')}"`;
