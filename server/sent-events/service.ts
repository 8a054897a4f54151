import type { ServiceDefinition } from "#server/services/service.ts";
import { sendEvent } from "./send-event.ts";

export const eventsService: ServiceDefinition = {
  id: "managed-events",
  name: "Managed events",
  description: "Your own events: runs wait for them, and triggers start runs by them.",
  capabilities: [sendEvent],
};
