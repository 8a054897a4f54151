import { createHmac } from "node:crypto";

/** Returns the headers that prove to a service that the platform makes the call (Standard Webhooks). */
export function signCall(
  signingSecret: string,
  { id, body, at = new Date() }: { id: string; body: string; at?: Date },
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const key = Buffer.from(signingSecret.replace(/^whsec_/, ""), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signature}`,
  };
}
