import { currentTime } from "#server/base/clock.ts";
import { standardHeaders, standardKey } from "#server/base/standard-webhooks.ts";

/** Returns the headers that prove to a service that the platform makes the call (Standard Webhooks). */
export function signCall(
  signingSecret: string,
  { id, body, at = currentTime() }: { id: string; body: string; at?: Date },
): Record<string, string> {
  const seconds = Math.floor(at.getTime() / 1000);
  return standardHeaders([standardKey(signingSecret)], { id, body, seconds });
}
