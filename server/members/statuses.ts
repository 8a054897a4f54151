export const INVITATION_STATUSES = ["pending", "accepted", "revoked", "expired"] as const;
