import { platform } from "#server/platform.ts";

/** Why no agent can run on a model of the platform's own, or null. */
export function modelUnavailability(): string | null {
  return platform().settings.model
    ? null
    : "No model is configured: set MODEL_BASE_URL and MODEL_NAME, or send a connectionId that leads to a model endpoint.";
}
