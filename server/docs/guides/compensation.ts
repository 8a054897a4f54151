import { heading, json, list, type Page, paragraph, samples } from "../page.ts";
import { connect } from "./sdk.ts";

const keep = (id: string, content: string) => ({
  id,
  type: "invoke",
  serviceId: "managed-memory",
  operationId: "put",
  input: { name: `${id}-{% input.order %}`, content },
});

const ORDER = {
  name: "Fulfil an order",
  steps: [
    {
      id: "order",
      type: "try",
      steps: [
        keep("charge", "Charged {% input.amount %}."),
        {
          id: "prepare",
          type: "parallel",
          branches: [
            { id: "stock", steps: [keep("reserve", "Reserved for {% input.order %}.")] },
            { id: "parcel", steps: [keep("label", "To {% input.address %}.")] },
          ],
        },
      ],
      catch: {
        steps: [
          {
            id: "charged",
            type: "branch",
            cases: [
              {
                when: "{% $exists(steps.charge) %}",
                steps: [keep("refund", "Refunded {% steps.charge.memory.id %}: {% error.code %}.")],
              },
            ],
          },
        ],
      },
      finally: [keep("report", "The order has been worked on.")],
    },
  ],
};

const POLL = {
  id: "poll",
  type: "while",
  when: '{% index = 0 or last.body.state = "pending" %}',
  maxIterations: 60,
  steps: [
    { id: "pause", type: "wait", seconds: 5 },
    {
      id: "ask",
      type: "http",
      connectionId: "{% input.connectionId %}",
      method: "GET",
      url: "https://parcels.example.com/{% input.order %}",
    },
  ],
};

const RUN = {
  serviceId: "managed-workflows",
  operationId: "execute",
  input: { workflow: ORDER, input: { order: "4711", amount: "12.50", address: "1 Main Street" } },
};

/** Returns the guide to steps in parallel, repeated steps, and steps that handle failures. */
export function compensationPage(baseUrl: string): Page {
  return {
    path: "/docs/compensation",
    title: "Branches, loops and compensation",
    lead: "Steps of a workflow run side by side, again and again, and undo what was done when another one fails.",
    blocks: [
      heading("An order that is undone"),
      paragraph(
        "`try` runs its `steps`. Where one of them fails, the steps of `catch` compensate for those that are done, and read `error`: `{ code, message, step }`. `finally` runs in either case. This order is charged, then stock and parcel are prepared side by side; where that fails, what was charged is refunded.",
      ),
      json(ORDER),
      samples({
        sh: `curl --fail-with-body -X POST "${baseUrl}/v1/runs" \\
  -H "Authorization: Bearer $API_KEY" \\
  -H "Idempotency-Key: $(uuidgen)" \\
  -H "Content-Type: application/json" \\
  -d '${JSON.stringify(RUN)}'`,
        ts: `${connect(baseUrl)}
const run = await platform.runs.create(${JSON.stringify(RUN)});
console.log(run.id);`,
      }),
      list([
        "`catch.on` names the codes that are caught, such as `service_failed` or `approval_rejected`; without it all are. What is not caught fails the step after `finally`.",
        "The output is that of the last of `steps`, or of `catch` where that ran. Where `catch` or `finally` fails, so does the step, with that failure.",
        "`steps.<id>` of what has not been done selects nothing: ask with `$exists(steps.charge)` what there is to undo.",
        "What was sent and never answered fails with `service_timeout`, and may have been done: a compensation has to be right in both cases.",
        "`timeoutSeconds` of a `try` bounds its `steps` alone. `finally` has at least a minute, even where the time of a step around it is over.",
        "What has been caught stays caught: a crash in `catch` or `finally` goes on there and attempts none of the failed steps again, and neither does another attempt at the run (`maxAttempts`). `retry` of the `try` attempts the whole of it again.",
        "A run that is cancelled or expires ends before its next step, and runs neither `catch` nor `finally`. Where that has to be undone too, start a run by a [trigger](/docs/schedules) on `run.cancelled` or `run.expired`.",
      ]),
      heading("Branches side by side"),
      paragraph(
        "`parallel` runs 2 to 10 branches, at most `concurrency` at a time. Its output has the output of each branch by its `id`: `steps.prepare.stock`. A branch sees the steps before the `parallel` and its own; later steps see those of all branches.",
      ),
      list([
        "The first failure fails the step. In the other branches no further step begins, nor `catch` or `finally`. A call or request that was sent is waited for, and its answer is in the journal; `catch` around the `parallel` sees it.",
        "What the other branches wait for ends with that: approvals and runs below are cancelled, events and callbacks are taken no more. The timeline shows those steps as `cancelled`.",
        "Branches that wait at the same time, for people, events or time, occupy no worker.",
      ]),
      heading("Loops"),
      paragraph(
        "`while` runs its steps as long as `when` holds, which is judged before each iteration. `index` counts iterations from 0, `last` is the output of the one before: for pages of a list, or to ask until something is done.",
      ),
      json(POLL),
      list([
        "The output is that of the last iteration. Where `when` still holds after `maxIterations`, the step fails with `query_limit_exceeded`.",
        "A step inside belongs to its iteration, `steps.poll[3].ask`, and is seen there alone. Each is in the timeline, which has at most 10,000 entries.",
      ]),
      heading("Retrying from inside"),
      paragraph(
        "A [retry](/docs/runs.retry) from a step of `catch` keeps the failure and goes on there. One from a step that has failed and was caught keeps what was done before the failure, and drops what was done because of it. A corrected workflow leaves all of a `map`, `parallel` or `while` as it was where the step stands inside one.",
      ),
    ],
  };
}
