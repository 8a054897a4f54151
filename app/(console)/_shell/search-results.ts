import { routes } from "#components/routes.ts";
import type { Found } from "#server/search/schema.ts";

/** Each kind of resource: its word, and its place in the navigation. */
export const kindWords: Record<Found["kind"], { word: string; place: string }> = {
  project: { word: "Project", place: "Projects" },
  apiKey: { word: "API key", place: "API keys" },
  wallet: { word: "Wallet", place: "Wallets" },
  contact: { word: "Contact", place: "Wallets" },
  run: { word: "Run", place: "Runs" },
  workflow: { word: "Workflow", place: "Workflows" },
  trigger: { word: "Trigger", place: "Triggers" },
  connection: { word: "Connection", place: "Connections" },
  file: { word: "File", place: "Files" },
  webhook: { word: "Webhook", place: "Webhooks" },
  approval: { word: "Approval", place: "Approvals" },
  member: { word: "Member", place: "Members" },
  artifact: { word: "Artifact", place: "Artifacts" },
  memory: { word: "Memory", place: "Memories" },
  endUser: { word: "End user", place: "End users" },
  app: { word: "App", place: "API keys" },
  invitation: { word: "Invitation", place: "Members" },
  service: { word: "Service", place: "Services" },
  capability: { word: "Operation", place: "Services" },
  transaction: { word: "Transaction", place: "Wallets" },
  signature: { word: "Signature", place: "Wallets" },
  order: { word: "Order", place: "Trading" },
  swap: { word: "Swap", place: "Swaps" },
  transfer: { word: "Copy", place: "Database" },
  delivery: { word: "Delivery", place: "Webhooks" },
  sentEvent: { word: "Sent event", place: "Triggers" },
  event: { word: "Event", place: "Webhooks" },
  receipt: { word: "Ledger entry", place: "Credits" },
  auditEvent: { word: "Audit event", place: "Audit" },
  request: { word: "Request", place: "Audit" },
};

/** Returns the page of a search result. */
export function pageOf({ kind, id, parentId }: Found): string {
  const parent = parentId ?? "";
  switch (kind) {
    case "project":
      return routes.projects.read(id);
    case "apiKey":
      return routes.apiKeys.read(id);
    case "wallet":
      return routes.wallets.read(id);
    case "contact":
      return routes.contacts.read(id);
    case "run":
      return routes.runs.read(id);
    case "workflow":
      return routes.workflows.storedOne(id);
    case "trigger":
      return routes.triggers.read(id);
    case "connection":
      return routes.connections.read(id);
    case "file":
      return routes.files.read(id);
    case "webhook":
      return routes.webhooks.read(id);
    case "approval":
      return routes.approvals.read(id);
    case "member":
      return routes.members.list({ search: id });
    case "artifact":
      return routes.artifacts.read(id);
    case "memory":
      return routes.memories.read(id);
    case "endUser":
      return routes.endUsers.read(id);
    case "app":
      return routes.apiKeys.apps({ search: id });
    case "invitation":
      return routes.members.invitations({ search: id });
    case "service":
      return routes.services.read(id);
    case "capability":
      return routes.services.operation(parent, id);
    case "transaction":
      return routes.wallets.transaction(parent, id);
    case "signature":
      return routes.wallets.read(parent);
    case "order":
      return routes.trading.read(id);
    case "swap":
      return routes.swaps.read(id);
    case "transfer":
      return routes.database.copies({ transfer: id });
    case "delivery":
      return routes.webhooks.delivery(parent, id);
    case "sentEvent":
      return parentId ? routes.triggers.read(parentId) : routes.services.operation("managed-events", "send");
    case "event":
      return `${routes.docsGuide("events")}#${id.slice(0, id.lastIndexOf(".")).replace(/[^a-z0-9]+/g, "-")}`;
    case "receipt":
      return routes.credits({ search: id });
    case "auditEvent":
      return routes.auditEvent(id);
    case "request":
      return routes.audit({ requestId: id });
  }
}

/** The maximum length of a query. */
export const LONGEST = 200;
/** The number of characters of a key's secret that the platform stores. */
const KEPT_OF_SECRET = 15;

/**
 * Returns the part of the typed text that is sent: of a secret only the prefix that identifies its key (`hidden`), of
 * a long text its beginning (`cut`).
 */
export function textToSend(typed: string): { text: string; hidden: boolean; cut: boolean } {
  const whole = typed.trim();
  const text = whole.slice(0, LONGEST);
  if (/whsec_\S{8}|svc_(?:credit|ort|ocs)_\S{4}/.test(text)) return { text: "", hidden: true, cut: false };
  const secret = /svc_(?:live|oat)_\S*/.exec(text)?.[0];
  if (!secret) return { text, hidden: false, cut: whole.length > LONGEST };
  return { text: secret.slice(0, KEPT_OF_SECRET), hidden: secret.length > KEPT_OF_SECRET, cut: false };
}
