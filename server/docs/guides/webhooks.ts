import { code, heading, list, type Page, paragraph, samples, table } from "../page.ts";
import { curl } from "./curl.ts";
import { connect } from "./sdk.ts";

/** Returns the guide's Python program that verifies a delivery with the standard library; a test runs it. */
export const VERIFY_IN_PYTHON = `import hashlib, hmac, os, sys, time

def verify(body: bytes, header: str, secret: str, tolerance: int = 300) -> bool:
    parts = [part.split("=", 1) for part in header.split(",")]
    sent_at = next(value for name, value in parts if name == "t")
    if abs(time.time() - int(sent_at)) > tolerance:
        return False
    expected = hmac.new(secret.encode(), sent_at.encode() + b"." + body, hashlib.sha256).hexdigest()
    return any(name == "v1" and hmac.compare_digest(value, expected) for name, value in parts)

body = sys.stdin.buffer.read()
print(verify(body, os.environ["X_SERVICE_SIGNATURE"], os.environ["WEBHOOK_SECRET"]))`;

/** Returns the guide to receiving events. */
export function webhooksPage(baseUrl: string): Page {
  return {
    path: "/docs/webhooks",
    title: "Webhooks",
    lead: "Your server gets events as signed requests, at least once, with retries for three days.",
    blocks: [
      heading("Create one"),
      samples({
        sh: `WEBHOOK=$(${curl(baseUrl, "POST /v1/webhooks", {
          body: { url: "https://example.com/hooks/platform", events: ["run.*", "credits.low"] },
        })})\nexport WEBHOOK_ID=$(jq -r .webhook.id <<< "$WEBHOOK") WEBHOOK_SECRET=$(jq -r .secret <<< "$WEBHOOK")`,
        ts: `${connect(baseUrl)}
const { webhook, secret } = await platform.webhooks.create({
  url: "https://example.com/hooks/platform",
  events: ["run.*", "credits.low"],
});
console.log(webhook.id, secret.length);`,
      }),
      paragraph(
        "The secret is shown once. [Every event](/docs/events) is described with its data; `run.*` selects all events below `run.`.",
      ),
      heading("Verify deliveries"),
      paragraph(
        "Deliveries are signed as [Standard Webhooks](https://www.standardwebhooks.com), so its libraries (and Svix's) verify them. Verify the raw bytes, before anything parses them:",
      ),
      code(
        "ts",
        `import { Webhook } from "standardwebhooks";

const webhook = new Webhook(process.env.WEBHOOK_SECRET);

export async function receive(request: Request): Promise<Response> {
  const body = await request.text();
  const event = webhook.verify(body, Object.fromEntries(request.headers));
  await queue.add(event.id, event); // Once by its id, then answer at once.
  return new Response(null, { status: 204 });
}`,
      ),
      paragraph(
        "Without a library: `X-Service-Signature` is `t=<unix seconds>,v1=<hex>`, the HMAC-SHA256 of `t.body` keyed by the whole secret; during a rotation there is a `v1` per secret.",
      ),
      code("py", VERIFY_IN_PYTHON),
      heading("Respond"),
      table(
        ["Your response", "Effect"],
        [
          ["2xx within 15 seconds", "delivered"],
          ["410", "the webhook is disabled"],
          [
            "any other response, or none",
            "retried after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h; `Retry-After` lengthens the pause",
          ],
        ],
      ),
      list([
        "The same event may arrive twice: use its `id`, which is also `webhook-id`, to act once.",
        "The order is not guaranteed; `sequence` increases per resource, so that you can tell the newer of two events.",
        "After five days without a success, a webhook is disabled; `webhook.failing` is sent before. No event is lost: [replay](/docs/webhookDeliveries.replay) the missed ones.",
      ]),
      heading("Receive less"),
      paragraph(
        "A filter is evaluated before a delivery is sent: up to 20 conditions on the body, which must all hold. `thin` sends `resource` and `status` instead of `data`, and your server reads the rest with its own key; `headers` are added to each request.",
      ),
      samples({
        sh: `${curl(baseUrl, "PATCH /v1/webhooks/$WEBHOOK_ID", {
          body: {
            events: ["run.*"],
            filter: [{ path: "data.run.status", op: "in", value: ["failed", "expired"] }],
            payload: "thin",
            headers: { authorization: "Bearer 5f2c" },
          },
        })} | jq -e .webhook.headerNames`,
        ts: `const narrowed = await platform.webhooks.update(webhook.id, {
  events: ["run.*"],
  filter: [{ path: "data.run.status", op: "in", value: ["failed", "expired"] }],
  payload: "thin",
  headers: { authorization: "Bearer 5f2c" },
});
console.log(narrowed.headerNames);`,
      }),
      table(
        ["`op`", "holds if the field"],
        [
          ["`eq`, `ne`", "equals the value, or exists and does not equal it"],
          ["`in`", "is one of a list"],
          ["`gt`, `gte`, `lt`, `lte`", "is a number, or a decimal in a text, on that side of the value"],
          ["`prefix`", "is a text with this beginning"],
          ["`exists`", "exists and is not null; with `value: false`, is missing or null"],
        ],
      ),
      list([
        'Amounts are compared by their value, digit by digit: `"12.50"` equals `12.5`. A missing field fulfils nothing else.',
        "An event beyond 20 KB is sent without data; conditions on the data count as met.",
        "A change does not affect waiting deliveries, and the bytes of a delivery are the same in every attempt and replay.",
        "Headers are sealed and never shown again: `headerNames` lists their names. A change replaces the headers that it names; null removes one.",
      ]),
      heading("Rotate its secret"),
      paragraph("For a day, deliveries are signed with both secrets, so that you can switch over."),
      samples({
        sh: `${curl(baseUrl, "POST /v1/webhooks/$WEBHOOK_ID/rotate-secret", { body: { overlapSeconds: 86400 } })} | jq -e .webhook.previousSecretExpiresAt`,
        ts: `const rotated = await platform.webhooks.rotate(webhook.id, { overlapSeconds: 86_400 });
console.log(rotated.webhook.previousSecretExpiresAt);`,
      }),
    ],
  };
}
