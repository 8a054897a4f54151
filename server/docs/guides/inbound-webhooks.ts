import { INBOUND_LIMITS, SIGNATURE_HEADER } from "#server/triggers/inbound/schema.ts";
import { heading, list, type Page, paragraph, samples, table } from "../page.ts";
import { curlOf, invoke } from "./invoke-triggers.ts";
import { connect } from "./sdk.ts";

const SECRET = "a secret that GitHub has too";
const PUT = JSON.stringify({
  operationId: "put",
  input: {
    name: "new-issues",
    on: {
      webhook: { scheme: "github", secret: SECRET },
      where: [{ path: "data.action", op: "eq", value: "opened" }],
    },
    start: {
      serviceId: "managed-memory",
      operationId: "put",
      input: { content: "{% event.data.issue.title %} ({% event.name %})" },
    },
  },
});
const DELIVERED = JSON.stringify({ action: "opened", issue: { title: "It is slow" } });
const { requestsPerMinute, maximumRequestsPerMinute } = INBOUND_LIMITS;

/** Returns the guide to runs that providers' webhooks start. */
export function inboundWebhooksPage(baseUrl: string, apiOrigin: string): Page {
  return {
    path: "/docs/inbound-webhooks",
    title: "Inbound webhooks",
    lead: "Deliveries of Stripe, GitHub, Slack, Shopify and others start runs, once for each delivery, without a server of yours.",
    blocks: [
      heading("An address for a provider"),
      paragraph(
        "A [trigger](/docs/schedules) with `webhook` in `on` has an address of its own, which `put` and `get` return as `on.webhook.address`. Give the address to the provider, and the provider's signing secret to the trigger. The secret is sealed and never returned. Storing the trigger again keeps the address, and may omit `secret`. The address is returned only to callers with `runs:write` who may change the trigger: its owner, the keys above it, and members.",
      ),
      samples({
        sh: `ADDRESS=$(${curlOf(apiOrigin, PUT)} | jq -r .result.trigger.on.webhook.address)`,
        ts: `${connect(apiOrigin)}
const { result } = await platform.services.invoke("managed-triggers", ${PUT});
const { on } = result.trigger;
const address = ("webhook" in on && on.webhook.address) || "";`,
      }),
      paragraph("GitHub now delivers to this address. It sends requests like this:"),
      samples({
        sh: `BODY='${DELIVERED}'
SIGNATURE=$(printf %s "$BODY" | openssl dgst -sha256 -hmac "${SECRET}" | sed 's/.* //')
curl --fail-with-body -X POST "${baseUrl}/in/\${ADDRESS##*/}" \\
  -H "Content-Type: application/json" \\
  -H "X-GitHub-Event: issues" \\
  -H "X-GitHub-Delivery: $(uuidgen)" \\
  -H "X-Hub-Signature-256: sha256=$SIGNATURE" \\
  -d "$BODY"`,
        ts: `import { createHmac, randomUUID } from "node:crypto";

const body = '${DELIVERED}';
const sum = createHmac("sha256", "${SECRET}").update(body).digest("hex");
const response = await fetch(new URL(new URL(address).pathname, "${baseUrl}"), {
  method: "POST",
  headers: {
    "Content-Type": "application/json",
    "X-GitHub-Event": "issues",
    "X-GitHub-Delivery": randomUUID(),
    "X-Hub-Signature-256": \`sha256=\${sum}\`,
  },
  body,
});
console.log(response.status);`,
      }),
      paragraph(
        "A delivery with a valid signature is stored and answered with 202 at once; then its run is started, on behalf of the key or the member that stored the trigger. `get` shows the outcome of each delivery.",
      ),
      invoke(apiOrigin, "get", { name: "new-issues" }),
      heading("Who signs how"),
      table(
        ["`scheme`", "Signature", "Recognised by", "`event.name`"],
        [
          [
            "`standard`",
            "`webhook-signature` or `svix-signature`, at most five minutes old",
            "`webhook-id` or `svix-id`",
            "`webhook`",
          ],
          ["`stripe`", "`Stripe-Signature`, at most five minutes old", "the event's `id`", "its `type`"],
          ["`github`", "`X-Hub-Signature-256`", "`X-GitHub-Delivery`", "`X-GitHub-Event`"],
          ["`slack`", "`X-Slack-Signature`, at most five minutes old", "`event_id`", "`event.type`"],
          [
            "`shopify`",
            "`X-Shopify-Hmac-Sha256`",
            "`X-Shopify-Webhook-Id`, else `X-Shopify-Event-Id`",
            "`X-Shopify-Topic`",
          ],
          [
            "`hmac_sha256`",
            `the body's HMAC-SHA256 in hex, also after \`sha256=\`, or base64, in the header that \`headerName\` names (\`${SIGNATURE_HEADER}\`)`,
            "the body",
            "`webhook`",
          ],
          ["`none`", "none: the address is the only secret", "the body", "`webhook`"],
        ],
      ),
      paragraph(
        "A delivery that a provider repeats within a day is answered with 202 and starts no run; without an id, it is recognised by its body. Slack's challenge is answered, and so is GitHub's `ping`, which starts no run. A delivery without a valid signature gets 401 [signature_invalid](/docs/errors/signature_invalid): it is not stored, and `rejectedDeliveries` counts it.",
      ),
      heading("What runs read"),
      paragraph(
        "Expressions in the input read `event`: `id`, `name`, `headers`, `data` and `sentAt`; a workflow reads it as `input.event`. `data` is the JSON, the fields of a form, or the text. A number with more digits than a double can hold becomes a text. `headers` are in lower case, without signatures and headers that may contain a secret. `where` tests `name`, `data.…` and `headers.…`; a delivery that does not match is answered with 202 and starts no run.",
      ),
      heading("Another address"),
      paragraph(
        "`rotate_address` returns a new address. The previous one stays valid for a day, or for `overlapSeconds`, up to seven days.",
      ),
      invoke(apiOrigin, "rotate_address", { name: "new-issues", overlapSeconds: 3600 }),
      heading("Limits"),
      list([
        `A delivery has at most 1 MB; a larger one gets 413. An address accepts ${requestsPerMinute} deliveries a minute, or \`requestsPerMinute\`, at most ${maximumRequestsPerMinute.toLocaleString("en")}; further ones get 429 with \`Retry-After\`.`,
        "While the trigger is paused or lacks credits, deliveries wait for seven days; `replay` retries those that have started no run. If 10,000 are waiting, further ones get 429.",
        "Deliveries are stored sealed and deleted after 30 days, on every privacy tier; the run's own input is kept like that of any run.",
      ]),
    ],
  };
}
