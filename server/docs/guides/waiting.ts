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
    lead: "A run waits for what happens elsewhere, for up to 30 days, and occupies no worker meanwhile.",
    blocks: [
      heading("A step that waits"),
      paragraph(
        "A step of type `await` in a [workflow](/docs/workflows) goes on with the first of up to ten events; it waits for the others no more. `key` says which one it is about, `where` what must hold of it.",
      ),
      json(AWAIT),
      samples({
        sh: `curl --fail-with-body -X POST "${baseUrl}/v1/runs" \\\n  ${HEADERS} \\\n  -d '${JSON.stringify(RUN)}'`,
        ts: `${connect(baseUrl)}
const run = await platform.runs.create(${JSON.stringify(RUN)});
console.log(run.id);`,
      }),
      paragraph(
        'Its output is `{ event, timedOut }`, with `{ id, name, key, data, sentAt }` as `event`. Where none comes within `timeoutSeconds` it fails with `service_timeout`, or with `onTimeout: "continue"` is done without one. The run itself expires too: give it `expiresInSeconds` that are longer, up to 30 days.',
      ),
      heading("An event"),
      paragraph(
        "`send` of `managed-events` answers how many runs go on because of it. It needs `runs:write`. With an `id` of yours, such as that of a provider's delivery, it counts once within a day, and a repeat answers as the first with `repeated`.",
      ),
      samples({
        sh: `curl --fail-with-body -X POST "${baseUrl}/v1/services/managed-events/invoke" \\\n  ${HEADERS} \\\n  -d '${JSON.stringify(EVENT)}'`,
        ts: `console.log(await platform.services.invoke("managed-events", ${JSON.stringify(EVENT)}));`,
      }),
      list([
        "An event that came first counts: those since the run's start, or with `lookbackSeconds` as many seconds before the step began to wait (0: none). The oldest one that fits is taken.",
        "Every run that waits for an event gets it, and in each run one step: the one that has waited longest. What a step has taken no later step of the run takes again.",
        "An event is taken once, whatever crashes: when `send` has answered that a run goes on, it does, unless it is cancelled or its key has ended.",
        "Names belong to exactly one account, project and end user, as those of stored workflows do: a run of a project sees the events that were sent with a key of the project, or with `X-Service-Project`.",
        "A run that is read says in `waitsFor` what its steps wait for, and until when.",
      ]),
      heading("Events of the platform"),
      paragraph(
        "A step awaits [what the platform tells webhooks](/docs/events) by its name too, such as `wallet.deposit.confirmed`, `run.failed` or `file.created`, without any webhook. `where` says which one, by paths of its `data`:",
      ),
      json({
        name: "wallet.transaction.confirmed",
        where: [{ path: "data.transaction.id", op: "eq", value: "{% steps.send.transaction.id %}" }],
      }),
      list([
        "Those since the run's start count, so a step may await what an earlier one has caused; further back only while something else had them kept.",
        "The run gets what the key that created it could read at that time, within its project and end user.",
        "They have no `key`, and their names stand in the workflow as they are, not in an expression.",
      ]),
      heading("Conditions"),
      table(
        ["`op`", "Holds where the value at `path`"],
        [
          ["`eq`, `ne`", "is, or is not, the same"],
          ["`in`", "is one of a list"],
          [
            "`gt`, `gte`, `lt`, `lte`",
            "is a number, or a decimal in a text, on that side of the value; or a text, where the value is one and no decimal",
          ],
          ["`exists`", "is there and not null; with `value: false`, is missing or null"],
          ["`prefix`", "is a text that begins so"],
        ],
      ),
      paragraph(
        'All conditions of an event must hold. Amounts are compared by what they amount to, digit by digit: `"12.50"` equals `12.5`. A missing field fulfils nothing but `exists: false`. All of this is as in the filters of [webhooks](/docs/webhooks), but for this:',
      ),
      list([
        'Your own events and deliveries may have anything at any path, so a path is not judged, `eq` and `in` compare lists and objects too, and `gt`, `gte`, `lt` and `lte` compare texts in the order of their characters where the value is no decimal: `"2027-01-01"` comes after `"2026-12-31T23:00:00Z"`.',
        "Of an event of the platform, a path that it does not have is refused with 400, which names the nearest. A number in a path leads to an entry of a list, `data.transaction.calls.0.name`.",
        "An event of the platform beyond 20 KB has no data here either, and fulfils no condition on it: a webhook's receiver can look what it is about, a run would go on by another's event.",
      ]),
      heading("Your own code as a step"),
      paragraph(
        "A step of type `http` with `callback` hands work over to a server of yours, in whatever language: it sends the request, and goes on with what is posted to the address that its texts read as `{% callback.url %}`. It needs no library.",
      ),
      json(CALLED_BACK),
      paragraph(
        "Answer the request with any 2xx as soon as the work is taken; anything else fails the step. Then send a POST with a JSON object to the address, without a key: the address is the right to it, so keep it as you keep a secret.",
      ),
      table(
        ["Body of the POST", "What it does"],
        [
          [
            '`{ "progress": 0.4, "message": "Frame 960" }`',
            "A heartbeat: the step goes on waiting. Both are shown, by `waitsFor` of the run.",
          ],
          [
            '`{ "error": { "message": "Out of disk." } }`',
            "The step fails with `service_failed` and this message; its `retry` sends the request again, with another address.",
          ],
          ["any other object", "It is the step's output."],
        ],
      ),
      list([
        "What ends the wait is taken once: the same body again is answered with 200 as at first, another one with 410 [callback_over](/docs/errors/callback_over).",
        "Nothing comes within `callback.timeoutSeconds`, or no heartbeat within `heartbeatSeconds`: the step fails with `service_timeout`. What is posted later is answered with 410, as it is once the run has ended.",
        "It may be posted before the request is answered, and where that answer was lost the step waits all the same. All requests of the step have one `Idempotency-Key`.",
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
