import { EVENT_LIMITS } from "#server/sent-events/schema.ts";
import { heading, json, list, type Page, paragraph, samples, table } from "../page.ts";
import { connect } from "./sdk.ts";

const HEADERS = `-H "Authorization: Bearer $API_KEY" \\
  -H "Idempotency-Key: $(uuidgen)" \\
  -H "Content-Type: application/json"`;

const AWAIT = {
  id: "paid",
  type: "await",
  events: [
    {
      name: "order.paid",
      key: "{% input.order %}",
      where: [{ path: "data.amount", op: "gte", value: "10.00" }],
    },
    { name: "order.cancelled", key: "{% input.order %}" },
  ],
  timeoutSeconds: 604_800,
  onTimeout: "continue",
};

const RUN = {
  serviceId: "managed-workflows",
  operationId: "execute",
  input: { workflow: { name: "Order", steps: [AWAIT] }, input: { order: "4711" } },
  expiresInSeconds: 1_209_600,
};

const EVENT = {
  operationId: "send",
  input: { name: "order.paid", key: "4711", data: { amount: "12.50" }, id: "payment-1" },
};

const CALLED_BACK = {
  id: "render",
  type: "http",
  connectionId: "{% input.connectionId %}",
  method: "POST",
  url: "https://render.example.com/jobs",
  body: { film: "{% input.film %}", callback: "{% callback.url %}" },
  callback: { timeoutSeconds: 86_400, heartbeatSeconds: 300 },
};

/** Returns the guide to runs that wait for events and callbacks. */
export function waitingPage(baseUrl: string): Page {
  return {
    path: "/docs/waiting",
    title: "Waiting for the world",
    lead: "A run can wait for external events for up to 30 days, and occupies no worker meanwhile.",
    blocks: [
      heading("A step that waits"),
      paragraph(
        "A step of type `await` in a [workflow](/docs/workflows) continues with the first of up to ten events, and no longer waits for the others. `key` and `where` select the matching events.",
      ),
      json(AWAIT),
      samples({
        sh: `curl --fail-with-body -X POST "${baseUrl}/v1/runs" \\\n  ${HEADERS} \\\n  -d '${JSON.stringify(RUN)}'`,
        ts: `${connect(baseUrl)}
const run = await platform.runs.create(${JSON.stringify(RUN)});
console.log(run.id);`,
      }),
      paragraph(
        'Its output is `{ event, timedOut }`, with `{ id, name, key, data, sentAt }` as `event`. If no event arrives within `timeoutSeconds`, the step fails with `service_timeout`, or finishes without one if `onTimeout` is `"continue"`. The run itself expires, too: give it a longer `expiresInSeconds`, up to 30 days.',
      ),
      heading("An event"),
      paragraph(
        "`send` of `managed-events` returns the number of runs that continue because of it. It needs `runs:write`. With an `id` of yours, such as that of a provider's delivery, the event counts once within a day, and a repeat gets the first response with `repeated`.",
      ),
      samples({
        sh: `curl --fail-with-body -X POST "${baseUrl}/v1/services/managed-events/invoke" \\\n  ${HEADERS} \\\n  -d '${JSON.stringify(EVENT)}'`,
        ts: `console.log(await platform.services.invoke("managed-events", ${JSON.stringify(EVENT)}));`,
      }),
      list([
        "Earlier events count, too: those since the run's start or, with `lookbackSeconds`, those up to as many seconds before the step began to wait (0: none). The step takes the oldest match.",
        "Every run that waits for an event gets it, and in each run one step: the one that has waited longest. No later step of the run takes the same event again.",
        "An event is taken once, even after a crash: when `send` has reported that a run continues, it does, unless it is cancelled or its key has ended.",
        "Names belong to exactly one account, project and end user, like those of stored workflows: a run of a project receives the events that were sent with a key of the project, or with `X-Service-Project`.",
        "[Reading a run](/docs/runs.read) returns in `waitsFor` the events that its steps wait for, and until when.",
      ]),
      heading("Events of the platform"),
      paragraph(
        "A step can also await [webhooks' events](/docs/events) by name, such as `wallet.deposit.confirmed`, `run.failed` or `file.created`, without any webhook. `where` selects the event by paths of its `data`:",
      ),
      json({
        name: "wallet.transaction.confirmed",
        where: [{ path: "data.transaction.id", op: "eq", value: "{% steps.send.transaction.id %}" }],
      }),
      list([
        "Events since the run's start count, so a step may await an event that an earlier step has caused. Older events count only if they were stored for another reason.",
        "The run gets the events that the key that created it could read at that time, within its project and end user.",
        "They have no `key`, and the workflow must name them literally, not by an expression.",
        `The runs of an account can have ${EVENT_LIMITS.maximumWaitsPerEvent.toLocaleString("en")} waits for the same event of the platform at a time; a step that would begin another one fails with [quota_exceeded](/docs/errors/quota_exceeded). Have a [trigger](/docs/schedules) start a run at the event instead.`,
      ]),
      heading("Conditions"),
      table(
        ["`op`", "Holds if the value at `path`"],
        [
          ["`eq`, `ne`", "is, or is not, the same"],
          ["`in`", "is one of a list"],
          [
            "`gt`, `gte`, `lt`, `lte`",
            "is a number, or a decimal in a text, on that side of the value; or is a text, if the value is a text but no decimal",
          ],
          ["`exists`", "exists and is not null; with `value: false`, is missing or null"],
          ["`prefix`", "is a text with this beginning"],
        ],
      ),
      paragraph(
        'All conditions of an event must hold. Amounts are compared by their exact value: `"12.50"` equals `12.5`. A missing field meets no condition except `exists: false`. The filters of [webhooks](/docs/webhooks) follow the same rules, with these differences:',
      ),
      list([
        'Your own events and deliveries may have any value at any path, so paths are not checked, `eq` and `in` compare lists and objects, too, and `gt`, `gte`, `lt` and `lte` compare texts in the order of their characters if the value is not a decimal: `"2027-01-01"` comes after `"2026-12-31T23:00:00Z"`.',
        "For an event of the platform, a path that it does not have is refused with a 400 that names the nearest one. A number in a path selects an entry of a list: `data.transaction.calls.0.name`.",
        "An event of the platform beyond 20 KB has no data here either, and meets no condition on it: the receiver of a webhook can look the resource up, but a run would continue with the wrong event.",
      ]),
      heading("Your own code as a step"),
      paragraph(
        "A step of type `http` with `callback` hands work over to your server, in any language: it sends the request, and continues with the result that is posted to the address `{% callback.url %}`. Your server needs no library.",
      ),
      json(CALLED_BACK),
      paragraph(
        "Respond with any 2xx as soon as you have accepted the work; any other response fails the step. Then send a POST with a JSON object to the address, without a key: the address itself grants the access, so treat it like a secret.",
      ),
      table(
        ["Body of the POST", "Effect"],
        [
          [
            '`{ "progress": 0.4, "message": "Frame 960" }`',
            "A heartbeat: the step continues to wait. `waitsFor` of the run shows both values.",
          ],
          [
            '`{ "error": { "message": "Out of disk." } }`',
            "The step fails with `service_failed` and this message; its `retry` sends the request again, with another address.",
          ],
          ["any other object", "It is the step's output."],
        ],
      ),
      list([
        "The final result is accepted once: a repeat of the same body gets 200 again, a different one 410 [callback_over](/docs/errors/callback_over).",
        "If no result arrives within `callback.timeoutSeconds`, or no heartbeat within `heartbeatSeconds`, the step fails with `service_timeout`. Later posts get 410, as do posts after the run has ended.",
        "You may post the result before you respond to the request, and if that response is lost, the step still waits. All requests of the step have the same `Idempotency-Key`.",
        "A body has at most 1 MB (413).",
      ]),
      heading("Limits"),
      table(
        ["Limit", "At most"],
        Object.entries(EVENT_LIMITS).map(([name, most]) => [`\`${name}\``, most.toLocaleString("en")]),
      ),
    ],
  };
}
