/** The kinds of postings to and from a customer's account; each has a ledger account of its own. */
export const LEDGER_KINDS = ["grant", "purchase", "adjustment", "usage"] as const;
