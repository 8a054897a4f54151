import type { Operation } from "#server/operation/operation.ts";

/** Names that the rule below would get wrong. */
const OPERATION_NAMES: Record<string, string> = {
  "credits.x402.topUp": "TopUpCredits",
  "databases.account.deprovision": "DeprovisionDatabase",
  "databases.actions": "ApplyDatabaseActions",
  "webhooks.rotate": "RotateWebhookSecret",
};

/** `api_key` and `auditEvents` as parts of a type's name: `ApiKey`, `AuditEvents`. */
export function pascal(text: string): string {
  return text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}

/** `deliveries` → `delivery`. */
export function singular(word: string): string {
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word;
}

/** Returns an operation's name for its types: `wallets.transactions.quote` → `QuoteWalletTransaction`. */
export function operationName({ operationId }: Pick<Operation, "operationId">): string {
  const parts = operationId.split(".");
  const resource = parts.slice(0, -1).map((part) => pascal(singular(part)));
  return OPERATION_NAMES[operationId] ?? `${pascal(parts.at(-1) ?? "")}${resource.join("")}`;
}

/** `run` → `RunEvent`, `credits.low` → `CreditsLowEvent`. `WebhookEvent` is any event that a webhook is sent. */
export function eventName(type: string): string {
  return type === "webhook" ? "WebhookStateEvent" : `${pascal(type)}Event`;
}
