import { sql } from "drizzle-orm";
import { z } from "zod";
import { inboundWebhooks } from "#db/schema/triggers.ts";
import { ApiError } from "#server/operation/errors.ts";
import { publishChange } from "#server/operation/publish-change.ts";
import { priceOf } from "#server/services/prices.ts";
import { capability } from "#server/services/service.ts";
import { refuseScope } from "../check-start.ts";
import { lockTrigger, readTrigger } from "../queries.ts";
import { RotateAddress, Trigger } from "../schema.ts";
import { webhookOf } from "./put-webhook.ts";
import { newAddress } from "./secrets.ts";

export const rotateAddress = capability({
  id: "rotate_address",
  title: "Rotate a trigger's address",
  description:
    "Creates a new address for the trigger's deliveries, and returns it. The previous address accepts deliveries during the overlap; an older one ends at once. Needs `runs:write`.",
  input: RotateAddress,
  output: z.object({ trigger: Trigger }),
  modes: ["invoke"],
  readOnly: false,
  destructive: true,
  requiresApproval: false,
  secretOutput: true,
  price: priceOf("managed-triggers", "rotate_address"),
  nameOf: ({ name }) => name,

  async handler({ input: { name, overlapSeconds }, caller, tx }) {
    refuseScope(caller);
    const trigger = await lockTrigger(tx, caller, name);
    const owner = { accountId: trigger.accountId, triggerId: trigger.id };
    const overlaps = overlapSeconds > 0;
    const rotated = await tx
      .update(inboundWebhooks)
      .set({
        ...newAddress(owner),
        previousTokenHash: overlaps ? sql`${inboundWebhooks.tokenHash}` : null,
        previousUntil: overlaps ? sql`trigger_clock() + make_interval(secs => ${overlapSeconds})` : null,
      })
      .where(webhookOf(owner))
      .returning({ scheme: inboundWebhooks.scheme });
    if (rotated.length === 0)
      throw new ApiError(
        "state_conflict",
        `The trigger ${JSON.stringify(name)} has no address: its runs are not started by a webhook.`,
      );
    publishChange(tx, caller.accountId, "triggers");
    return { trigger: await readTrigger(tx, trigger, caller) };
  },
});
