import { inDigits } from "#components/ui/digits.ts";
import type { Webhook } from "#server/webhooks/schema.ts";

export const filterNames = ["status"] as const;

export const statuses = [
  { value: "pending", label: "Pending" },
  { value: "succeeded", label: "Succeeded" },
  { value: "failed", label: "Failed" },
  { value: "abandoned", label: "Abandoned" },
] as const;

/** What a webhook's deliveries are asked for by. An address may hold anything; what is no status is no filter. */
export function deliveriesOf(webhookId: string, { status }: { status: string }, cursor?: string) {
  const wanted = statuses.find(({ value }) => value === status)?.value;
  return { webhookId, ...(wanted && { status: wanted }), ...(cursor && { cursor }) };
}

const REASONS: Record<string, string> = {
  manual: "It was disabled by hand.",
  failing: "It had no success for five days.",
  gone: "Its endpoint answered 410: it is gone.",
  key_revoked: "The key that owned it was revoked.",
  key_expired: "The key that owned it has expired.",
};

/** Why a webhook is disabled, as a sentence. */
export function reasonOf(disabledReason: string | null): string | null {
  return disabledReason && (REASONS[disabledReason] ?? disabledReason);
}

/** `98 % of 100`: of the last finished deliveries. */
export function arrivedOf({ lastDeliveries }: Webhook["health"]): string {
  const { succeeded, failed } = lastDeliveries ?? { succeeded: 0, failed: 0 };
  const all = succeeded + failed;
  return all === 0 ? "–" : `${inDigits((succeeded / all) * 100)} % of ${all}`;
}
