import { type Block, heading, json, list, type Page, paragraph, samples, shell, table } from "../page.ts";
import { curl } from "./curl.ts";
import { connect } from "./sdk.ts";

const memory = (id: string, operationId: string, input: object) => ({
  id,
  type: "invoke",
  serviceId: "managed-memory",
  operationId,
  input,
});
const LETTER = memory("letter", "put", {
  name: "letter-{% input.user %}",
  content: "Hello, {% input.user %}.",
});
const ADDRESS = memory("address", "get", { name: "address-{% input.user %}" });

const WELCOME = { name: "Welcome", steps: [LETTER, ADDRESS] };

const CORRECTED = {
  name: "Welcome",
  steps: [
    LETTER,
    {
      id: "address",
      type: "try",
      steps: [{ ...ADDRESS, id: "found" }],
      catch: {
        on: ["not_found"],
        steps: [memory("unknown", "put", { name: "without-address", content: "{% input.user %}" })],
      },
    },
  ],
};

const RUN = {
  serviceId: "managed-workflows",
  operationId: "execute",
  input: { workflow: WELCOME, input: { user: "Ada" } },
};
const MISSING = { operationId: "put", input: { name: "address-Ada", content: "1 Main Street" } };
const FROM = { fromStep: "steps.address" };

/** Returns a call that reads its body from standard input. */
const piped = (baseUrl: string, path: string) =>
  `curl -s -X POST "${baseUrl}${path}" \\
  -H "Authorization: Bearer $API_KEY" \\
  -H "Idempotency-Key: $(uuidgen)" \\
  -H "Content-Type: application/json" \\
  -d @-`;

/** Returns the guide to repeating failed work, and to events that never arrived. */
export function repairingPage(baseUrl: string): Page {
  const retry = (body: object) =>
    `${curl(baseUrl, "POST /v1/runs/$RUN_ID/retry", { body })} | jq -e '.run.retryOf == env.RUN_ID'`;
  return {
    path: "/docs/repairing",
    title: "Repairing failures",
    lead: "Continue failed runs from where they failed, one by one or fifty at a time, and send events again that never arrived.",
    blocks: [
      heading("What failed"),
      paragraph(
        "The first step of this workflow stores a letter, the second needs an address. The run's `error` names the path of the failed step and the reason.",
      ),
      json(WELCOME),
      samples({
        sh: `export RUN_ID=$(${curl(baseUrl, "POST /v1/runs", { body: RUN })} | jq -r .run.id)
${curl(baseUrl, "GET /v1/runs/$RUN_ID?waitSeconds=50")} | jq -e '.run.error.step == "steps.address"'`,
        ts: `${connect(baseUrl)}
const { id } = await platform.runs.create(${JSON.stringify(RUN)});
const run = await platform.runs.read(id, { waitSeconds: 50 });
console.log(run.error?.step, run.error?.message);`,
      }),
      heading("From the step that failed"),
      paragraph(
        "Fix the cause, then [retry](/docs/runs.retry) from the step: a new run takes over the finished steps before it, without running or charging them again. The first run does not change.",
      ),
      samples({
        sh: `${curl(baseUrl, "POST /v1/services/managed-memory/invoke", { body: MISSING })} | jq -e .ok
${retry(FROM)}`,
        ts: `await platform.services.invoke("managed-memory", ${JSON.stringify(MISSING)});
const repaired = await platform.runs.retry(run.id, ${JSON.stringify(FROM)});
console.log(repaired.retryOf);`,
      }),
      heading("With a corrected workflow"),
      paragraph(
        "If the workflow itself is wrong, send a corrected one: here, a missing address no longer fails the run. The steps before `fromStep` must keep their id, type and order; a 400 names the first that does not. [Testing a step](/docs/runs.steps.test) shows beforehand the values of its expressions in this run.",
      ),
      samples({
        sh: retry({ ...FROM, workflow: CORRECTED }),
        ts: `const corrected = ${JSON.stringify(CORRECTED)};
console.log(await platform.runs.retry(run.id, { fromStep: "steps.address", workflow: corrected }));`,
      }),
      list([
        "For a [stored workflow](/docs/workflows), store the corrected version, and retry with its number as `workflowVersion`.",
        "Without `fromStep`, no steps are taken over, and `input` may replace the first run's input.",
        "The caller creates the retry, needs the same access as for creating such a run, and pays today's price. A retry keeps priority, tags and [concurrency keys](/docs/flow-control).",
        "A step whose call was sent but never answered may have taken effect: check its effects before you retry from it.",
      ]),
      ...manyAtOnce(baseUrl),
      ...webhook(baseUrl),
      ...order(baseUrl),
      heading("By the command line"),
      paragraph(
        "The [command line](/docs/command-line) has the same operations, and asks for confirmation on a terminal before it cancels.",
      ),
      shell(`export PLATFORM_API_KEY=$API_KEY PLATFORM_URL="${baseUrl}"
msp runs retry "$RUN_ID" --from-step steps.address --output json
msp runs bulk --action retry --run-ids "$RUN_ID" --retry-from failedStep --output json
msp webhooks missed read "$WEBHOOK_ID" --since "$SINCE" --output json`),
      heading("More repairs"),
      table(
        ["To", "Operation"],
        [
          ["start runs that events should have started", "[`replay`](/docs/schedules) of `managed-triggers`"],
          [
            "read one approval, or one key",
            "[approvals.read](/docs/approvals.read), [apiKeys.read](/docs/apiKeys.read)",
          ],
          ["undo the archiving of a project", "[projects.restore](/docs/projects.restore)"],
          [
            "test a policy on a wallet's past sends",
            "[wallets.policy.simulate](/docs/wallets.policy.simulate)",
          ],
          ["find out how credits were spent", "[credits.ledger.list](/docs/credits.ledger.list)"],
        ],
      ),
      paragraph(
        "A key that was created before one of these operations cannot use it, and gets 403 [operation_not_allowed](/docs/errors/operation_not_allowed): create a new key.",
      ),
    ],
  };
}

function manyAtOnce(baseUrl: string): Block[] {
  return [
    heading("Many at once"),
    paragraph(
      "[Bulk](/docs/runs.bulk) retries, cancels or forgets up to 50 runs. Each counts as a separate call, and a refused run does not stop the others: each result has `ok`, `newRunId` and `error`.",
    ),
    samples({
      sh: `${curl(baseUrl, "GET /v1/runs?status=failed&timeline=exclude&limit=50")} |
  jq '{ action: "retry", retryFrom: "failedStep", runIds: [.runs[].id] }' |
  ${piped(baseUrl, "/v1/runs/bulk")} | jq -e '.results | all(.ok)'`,
      ts: `const failed = await platform.runs.list({ status: "failed", timeline: "exclude", limit: 50 });
const retried = await platform.runs.bulk({
  action: "retry",
  retryFrom: "failedStep",
  runIds: failed.items.map(({ id }) => id),
});
console.log(retried.map(({ newRunId }) => newRunId));`,
    }),
    paragraph("In the same way, cancel the waiting runs of an import:"),
    samples({
      sh: `${curl(baseUrl, "GET /v1/runs?status=queued&tag=import&timeline=exclude&limit=50")} |
  jq '{ action: "cancel", runIds: [.runs[].id] }' |
  ${piped(baseUrl, "/v1/runs/bulk")} | jq -e '.results | all(.ok)'`,
      ts: `const waiting = await platform.runs.list({ status: "queued", tag: "import", timeline: "exclude", limit: 50 });
const cancelled = await platform.runs.bulk({ action: "cancel", runIds: waiting.items.map(({ id }) => id) });
console.log(cancelled.map(({ ok }) => ok));`,
    }),
  ];
}

function webhook(baseUrl: string): Block[] {
  return [
    heading("Events that never arrived"),
    paragraph(
      "When the server of a [webhook](/docs/webhooks) is back, send it a [test event](/docs/webhooks.test) first. Then read how many events it has [missed](/docs/webhooks.missed.read) since a time, including those of a pause, and have them [sent](/docs/webhooks.recover). Events that already wait to be sent are not sent twice; you can also replay [a single delivery](/docs/webhookDeliveries.replay).",
    ),
    samples({
      sh: `export SINCE=$(date -u -d '-1 day' +%Y-%m-%dT%H:%M:%SZ)
export WEBHOOK_ID=$(${curl(baseUrl, "GET /v1/webhooks")} | jq -r '.webhooks[0].id')
${curl(baseUrl, "POST /v1/webhooks/$WEBHOOK_ID/test", { body: {} })} | jq -e .delivery.id
${curl(baseUrl, "GET /v1/webhooks/$WEBHOOK_ID/missed?since=$SINCE")} | jq -e .events
${curl(baseUrl, "POST /v1/webhooks/$WEBHOOK_ID/recover", { body: { since: "$SINCE" } })} | jq -e .deliveries`,
      ts: `const since = new Date(Date.now() - 86_400_000).toISOString();
const [webhook] = (await platform.webhooks.list()).items;
if (webhook) {
  await platform.webhooks.test(webhook.id, {});
  console.log(await platform.webhooks.missed.read(webhook.id, { since }));
  console.log(await platform.webhooks.recover(webhook.id, { since }));
}`,
    }),
  ];
}

function order(baseUrl: string): Block[] {
  return [
    heading("Cancelling an order"),
    paragraph(
      "A limit order outlives the key that placed it. [Cancelling](/docs/trading.orders.cancel) it keeps its fills, and releases its reservation; while one of its trades is in progress, the call gets 409.",
    ),
    samples({
      sh: `ORDER_ID=$(${curl(baseUrl, "GET /v1/trading/orders?status=open")} | jq -r '.orders[0].id')
${curl(baseUrl, "POST /v1/trading/orders/$ORDER_ID/cancel", { body: {} })} | jq -e '.order.status == "cancelled"'`,
      ts: `const [order] = (await platform.trading.orders.list({ status: "open" })).items;
if (order) console.log(await platform.trading.orders.cancel(order.id));`,
    }),
  ];
}
