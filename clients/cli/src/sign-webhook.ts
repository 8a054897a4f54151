import { createHmac } from "node:crypto";

/** Returns the headers of a delivery, with both signatures that webhooks have. */
export function deliveryHeaders(
  { id, type }: { id: string; type: string },
  payload: string,
  secret: string,
): Record<string, string> {
  const seconds = Math.floor(Date.now() / 1000);
  const own = createHmac("sha256", secret).update(`${seconds}.${payload}`).digest("hex");
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const standard = createHmac("sha256", key).update(`${id}.${seconds}.${payload}`).digest("base64");
  return {
    "content-type": "application/json",
    "x-service-event": type,
    "x-service-signature": `t=${seconds},v1=${own}`,
    "webhook-id": id,
    "webhook-timestamp": String(seconds),
    "webhook-signature": `v1,${standard}`,
  };
}
