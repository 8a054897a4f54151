import type { ServiceDefinition } from "#server/services/service.ts";
import { rotateAddress } from "./inbound/rotate-address.ts";
import { putTrigger } from "./put-trigger.ts";
import { getTrigger, listTriggers } from "./read-triggers.ts";
import { replayEvents } from "./replay-events.ts";
import { backfillTrigger, fireTrigger } from "./request-ticks.ts";
import { deleteTrigger, pauseByHand, resumeTrigger } from "./switch-trigger.ts";

export const triggersService = {
  id: "managed-triggers",
  name: "Managed triggers",
  description:
    "Runs that start by themselves, at times of a schedule, at events, or when a provider's webhook comes in.",
  capabilities: [
    putTrigger,
    getTrigger,
    listTriggers,
    pauseByHand,
    resumeTrigger,
    fireTrigger,
    backfillTrigger,
    replayEvents,
    rotateAddress,
    deleteTrigger,
  ],
} as const satisfies ServiceDefinition;
