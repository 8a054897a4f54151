/** Why credits came to a customer's account, or left it; each has a book of its own. */
export const LEDGER_KINDS = ["grant", "purchase", "adjustment", "usage"] as const;
