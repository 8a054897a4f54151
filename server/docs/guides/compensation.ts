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
    lead: "Steps of a workflow run in parallel or repeatedly, and undo earlier steps when a later one fails.",
    blocks: [
      heading("An order that is undone"),
      paragraph(
        "`try` runs its `steps`. If one of them fails, the steps of `catch` compensate for the finished ones, and can read `error`: `{ code, message, step }`. `finally` runs in either case. This workflow charges an order, then prepares stock and parcel in parallel; if that fails, it refunds the charge.",
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
        "`catch.on` names the codes that are caught, such as `service_failed` or `approval_rejected`; without it, all codes are caught. An error that is not caught fails the step after `finally`.",
        "The output is that of the last of `steps`, or of `catch` if it ran. If `catch` or `finally` fails, the step fails with that error.",
        "`steps.<id>` of a step that has not finished selects nothing: `$exists(steps.charge)` shows whether there is a charge to undo.",
        "A call that was sent but never answered fails with `service_timeout`, and may have taken effect: a compensation must be correct in both cases.",
        "`timeoutSeconds` of a `try` limits only its `steps`. `finally` has at least a minute, even if the time of an enclosing step is over.",
        "A caught error stays caught: after a crash in `catch` or `finally` the run continues there and repeats none of the failed steps, and neither does another attempt at the run (`maxAttempts`). `retry` of the `try` repeats it as a whole.",
        "A run that is cancelled or expires ends before its next step, and runs neither `catch` nor `finally`. If its steps must be undone as well, start a run by a [trigger](/docs/schedules) on `run.cancelled` or `run.expired`.",
      ]),
      heading("Branches side by side"),
      paragraph(
        "`parallel` runs 2 to 10 branches, at most `concurrency` at a time. Its output contains each branch's output under the branch's `id`: `steps.prepare.stock`. A branch can read the steps before the `parallel` and its own; later steps can read those of all branches.",
      ),
      list([
        "The first failure fails the step. In the other branches no further step begins, and neither does `catch` or `finally`. A call that was already sent is awaited, and its result is in the journal; `catch` around the `parallel` can read it.",
        "The waits of the other branches end as well: their approvals and child runs are cancelled, and they accept no more events or callbacks. The timeline shows those steps as `cancelled`.",
        "Branches that wait at the same time, for people, events or time, occupy no worker.",
      ]),
      heading("Loops"),
      paragraph(
        "`while` runs its steps as long as `when` holds, which is evaluated before each iteration. `index` counts iterations from 0, and `last` is the output of the previous one: use it to read a list page by page, or to poll until work is done.",
      ),
      json(POLL),
      list([
        "The output is that of the last iteration. If `when` still holds after `maxIterations`, the step fails with `query_limit_exceeded`.",
        "A step inside belongs to its iteration, such as `steps.poll[3].ask`, and can be read only there. Each is in the timeline, which has at most 10,000 entries.",
      ]),
      heading("Retrying from inside"),
      paragraph(
        "A [retry](/docs/runs.retry) from a step of `catch` keeps the error and continues there. A retry from a failed step whose error was caught keeps the steps before the failure, and discards those that the failure caused. If the step is inside a `map`, `parallel` or `while`, a corrected workflow must leave all of that unchanged.",
      ),
    ],
  };
}
