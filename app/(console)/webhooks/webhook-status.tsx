import { Status } from "#components/ui/status.tsx";
import type { Webhook } from "#server/webhooks/schema.ts";

/** A webhook's state; an active one whose endpoint does not take what is sent is failing. */
export function WebhookStatus({ webhook: { status, health } }: { webhook: Webhook }) {
  return <Status value={status === "active" && health.status === "failing" ? "failing" : status} />;
}
