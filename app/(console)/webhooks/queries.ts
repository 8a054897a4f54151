import {
  counted,
  defineList,
  endUser,
  given,
  oneOf,
  period,
  search,
  wordsOf,
} from "#components/table/list.ts";
import { inDigits } from "#components/ui/digits.ts";
import type { Webhook } from "#server/webhooks/schema.ts";
import { DELIVERY_STATUSES, WEBHOOK_STATUSES } from "#server/webhooks/statuses.ts";

const EVERY = "all";

/** Webhooks cannot be deleted, so the list omits those that were disabled manually, unless the person asks for them. */
export const webhookList = defineList(
  "webhooks",
  {
    search,
    status: oneOf("Status", [...wordsOf(WEBHOOK_STATUSES), { value: EVERY, label: "Any status" }], "In use"),
    event: given("Event"),
    endUser,
    ...period,
  },
  ["createdAt"],
).asking(({ status, ...query }) => ({
  ...counted(query),
  ...(status === undefined && { disabledManually: "exclude" as const }),
  ...(status !== undefined && status !== EVERY && { status }),
}));

/** The deliveries of a webhook. */
export const deliveryList = defineList(
  "deliveries",
  {
    search,
    status: oneOf("Status", wordsOf(DELIVERY_STATUSES)),
    event: given("Event"),
    ...period,
  },
  ["createdAt"],
).asking(counted);

const REASONS: Record<string, string> = {
  manual: "It was disabled by hand.",
  failing: "It had no success for five days.",
  gone: "Its endpoint answered 410: it is gone.",
  key_revoked: "The key that owned it was revoked.",
  key_expired: "The key that owned it has expired.",
};

/** Returns a sentence that says why a webhook is disabled. */
export function reasonOf(disabledReason: string | null): string | null {
  return disabledReason && (REASONS[disabledReason] ?? disabledReason);
}

/** Returns the success rate of the last finished deliveries: `98 % of 100`. */
export function arrivedOf({ lastDeliveries }: Webhook["health"]): string {
  const { succeeded, failed } = lastDeliveries ?? { succeeded: 0, failed: 0 };
  const all = succeeded + failed;
  return all === 0 ? "–" : `${inDigits((succeeded / all) * 100)} % of ${all}`;
}
