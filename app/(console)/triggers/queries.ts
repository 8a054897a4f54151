import { counted, defineList, endUser, oneOf, period, search, wordsOf } from "#components/table/list.ts";
import type { TriggerTick, Trigger as WholeTrigger } from "#server/triggers/schema.ts";
import { TRIGGER_KINDS, TRIGGER_STATUSES } from "#server/triggers/statuses.ts";

type Start = Omit<WholeTrigger["start"], "input"> & { input?: unknown };
type Webhook = Extract<WholeTrigger["on"], { webhook: object }>["webhook"];
type Source =
  | Exclude<WholeTrigger["on"], { event: string } | { webhook: object }>
  | { event: string; where?: unknown[] }
  | { webhook: Webhook; where?: unknown[] };
export type Trigger = Omit<WholeTrigger, "start" | "on"> & { start: Start; on: Source };
export type Tick = TriggerTick;

export const triggerList = defineList(
  "triggers",
  {
    search,
    status: oneOf("Status", wordsOf(TRIGGER_STATUSES)),
    on: oneOf("Kind", wordsOf(TRIGGER_KINDS, { webhook: "Inbound webhook" })),
    endUser,
    ...period,
  },
  ["createdAt", "name"],
).asking(counted);

/** The signature schemes of providers. */
export const schemes: Record<Webhook["scheme"], { label: string; by: string }> = {
  standard: { label: "Standard Webhooks (Svix, Clerk, Resend)", by: "by Standard Webhooks" },
  stripe: { label: "Stripe", by: "of Stripe" },
  github: { label: "GitHub", by: "of GitHub" },
  slack: { label: "Slack", by: "of Slack" },
  shopify: { label: "Shopify", by: "of Shopify" },
  hmac_sha256: { label: "HMAC-SHA256 in a header", by: "signed with HMAC-SHA256" },
  none: { label: "Nothing is signed", by: "to its address" },
};

/** True if incoming events start the trigger's runs, not a schedule. */
export const isByEvents = ({ on }: Pick<Trigger, "on">) => "event" in on || "webhook" in on;

/** Returns in words when a trigger starts runs. */
export function scheduleText(on: Trigger["on"]): string {
  if ("cron" in on) return `${on.cron} (${on.timezone})`;
  if ("at" in on) return "Once";
  if ("event" in on) return `At each ${on.event}${on.where ? " that fits" : ""}`;
  if ("webhook" in on)
    return `At each delivery ${schemes[on.webhook.scheme].by}${on.where ? " that fits" : ""}`;
  const { everySeconds } = on;
  const [unit, seconds] = (
    [
      ["day", 86_400],
      ["hour", 3600],
      ["minute", 60],
      ["second", 1],
    ] as const
  ).find(([, seconds]) => everySeconds % seconds === 0) ?? ["second", 1];
  const count = everySeconds / seconds;
  return count === 1 ? `Every ${unit}` : `Every ${count} ${unit}s`;
}

/** Returns in words the target that a trigger starts. */
export function startText({ serviceId, operationId, input }: Trigger["start"]): string {
  const name = (input as { name?: unknown } | null)?.name;
  if (serviceId === "managed-workflows" && operationId === "start" && typeof name === "string") return name;
  return `${serviceId} ${operationId}`;
}

const reasons = {
  manual: "By hand",
  owner_ended: "The key or the member who put it counts no more. Save it again to make it yours.",
  failing: "Too many runs in a row have failed",
  no_credits: "The account has no credits for the next run; it goes on when there are some",
};

export const pausedText = (reason: NonNullable<Trigger["pausedReason"]>) => reasons[reason];
