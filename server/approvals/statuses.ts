export const APPROVAL_KINDS = [
  "service_action",
  "transaction",
  "signature",
  "order",
  "swap",
  "workflow_step",
] as const;

export const APPROVAL_STATUSES = [
  "pending",
  "approved",
  "rejected",
  "expired",
  "consumed",
  "cancelled",
] as const;
