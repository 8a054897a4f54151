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
    lead: "What Stripe, GitHub, Slack, Shopify and others deliver starts runs, once for each delivery, without a server of yours.",
    blocks: [
      heading("An address for a provider"),
      paragraph(
        "A [trigger](/docs/schedules) with `webhook` in `on` has an address of its own, which `put` and `get` answer as `on.webhook.address`. Give it to the provider, and its secret for signing to the trigger. The secret is sealed and never answered. The address stays when the trigger is put again; `secret` may be left out then. It is answered only to those with `runs:write` who may change the trigger: its owner, the keys above it, and members.",
      ),
      samples({
        sh: `ADDRESS=$(${curlOf(apiOrigin, PUT)} | jq -r .result.trigger.on.webhook.address)`,
        ts: `${connect(apiOrigin)}
const { result } = await platform.services.invoke("managed-triggers", ${PUT});
const { on } = result.trigger;
const address = ("webhook" in on && on.webhook.address) || "";`,
      }),
      paragraph("GitHub delivers there from now on. This is what it sends:"),
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
        "A delivery whose signature holds is stored and answered with 202 at once; its run is started then, in the name of the key or the member that put the trigger. `get` says what has become of each.",
      ),
      invoke(apiOrigin, "get", { name: "new-issues" }),
      heading("Who signs how"),
      table(
        ["`scheme`", "Signature", "Known again by", "`event.name`"],
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
        "What a provider sends again within a day is answered with 202 and starts nothing; where it says no id, a delivery is known again by its body. Slack's challenge is answered, and so is GitHub's `ping`, which starts nothing. What is not signed with the secret gets 401 [signature_invalid](/docs/errors/signature_invalid): nothing of it is kept, and `rejectedDeliveries` counts it.",
      ),
      heading("What runs read"),
      paragraph(
        "Expressions in the input read `event`: `id`, `name`, `headers`, `data` and `sentAt`; a workflow reads it as `input.event`. `data` is the JSON, the fields of a form, or the text. A number with more digits than a double keeps is a text. `headers` are in lower case, without those that sign or may hold a secret. `where` judges `name`, `data.…` and `headers.…`; what does not fit is answered with 202 and starts nothing.",
      ),
      heading("Another address"),
      paragraph(
        "`rotate_address` answers a new address. The one before is good for a day, or for `overlapSeconds`, up to seven days.",
      ),
      invoke(apiOrigin, "rotate_address", { name: "new-issues", overlapSeconds: 3600 }),
      heading("Limits"),
      list([
        `A delivery has at most 1 MB; a larger one gets 413. An address takes ${requestsPerMinute} deliveries a minute, or \`requestsPerMinute\`, at most ${maximumRequestsPerMinute.toLocaleString("en")}; further ones get 429 with \`Retry-After\`.`,
        "While the trigger is paused, or lacks credits, deliveries wait for seven days; `replay` begins anew with those that have started no run. Where 10,000 wait already, further ones get 429.",
        "Deliveries are sealed until they are dropped after 30 days, whatever the privacy tier; the run's own input is kept as that of any run.",
      ]),
    ],
  };
}
