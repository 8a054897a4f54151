import { Status } from "#components/ui/status.tsx";
import type { Webhook } from "#server/webhooks/schema.ts";

/** Shows a webhook's status; an active one whose endpoint refuses deliveries is failing. */
export function WebhookStatus({ webhook: { status, health } }: { webhook: Webhook }) {
  return <Status value={status === "active" && health.status === "failing" ? "failing" : status} />;
}
