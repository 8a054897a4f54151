/** The event of a call that was not answered. */
export const UNANSWERED = "unanswered";
