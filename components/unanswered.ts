/** The event dispatched when a call gets no response. */
export const UNANSWERED = "unanswered";
