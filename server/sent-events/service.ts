import type { ServiceDefinition } from "#server/services/service.ts";
import { sendEvent } from "./send-event.ts";

export const eventsService: ServiceDefinition = {
  id: "managed-events",
  name: "Managed events",
  description: "Events of your own, for which runs wait, and which start others.",
  capabilities: [sendEvent],
};
