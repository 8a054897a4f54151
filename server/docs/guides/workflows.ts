import { defined } from "#server/defined.ts";
import { jsonSchemaOf } from "#server/operation/json-schema.ts";
import { STORED_LIMITS, WORKFLOW_LIMITS } from "#server/workflows/limits.ts";
import { WORKFLOW_SCHEMA_PATH, Workflow } from "#server/workflows/schema.ts";
import { type Block, heading, json, list, type Page, paragraph, samples, table } from "../page.ts";
import { connect } from "./sdk.ts";

const EXAMPLE = {
  name: "Welcome",
  steps: [
    {
      id: "keep",
      type: "invoke",
      serviceId: "managed-memory",
      operationId: "put",
      input: { name: "welcome-{% input.user %}", content: "Hello, {% input.user %}." },
      retry: { maxAttempts: 3, backoffSeconds: 1, factor: 2 },
    },
    { id: "ask", type: "approval", summary: "Send “{% steps.keep.memory.content %}”?", timeoutSeconds: 3600 },
    {
      id: "each",
      type: "map",
      items: "{% input.addresses %}",
      concurrency: 5,
      steps: [
        {
          id: "send",
          type: "http",
          connectionId: "{% input.connectionId %}",
          method: "POST",
          url: "https://mail.example.com/messages",
          body: { to: "{% item %}", text: "{% steps.keep.memory.content %}" },
        },
      ],
    },
  ],
  output: { sent: "{% $count(steps.each[status = 202]) %}" },
};

/** Returns the guide to workflows; its tables are generated from the published schema. */
export function workflowsPage(baseUrl: string): Page {
  return {
    path: "/docs/workflows",
    title: "Workflows",
    lead: "Steps that run durably, one after another: what is finished never runs twice, whatever crashes in between.",
    blocks: [
      heading("A workflow"),
      paragraph(
        `A workflow is JSON; its form is published as [JSON Schema](${WORKFLOW_SCHEMA_PATH}), for editors and generators. \`validate\` of \`managed-workflows\` names everything that is wrong with one, for free. [Testing a step](/docs/runs.steps.test) evaluates its expressions on what an earlier run was given and has done, and does nothing else.`,
      ),
      paragraph("Save this one as `workflow.json`:"),
      json(EXAMPLE),
      samples({
        sh: `curl -s -X POST "${baseUrl}/v1/services/managed-workflows/invoke" \\\n  -H "Authorization: Bearer $API_KEY" \\\n  -H "Idempotency-Key: $(uuidgen)" \\\n  -H "Content-Type: application/json" \\\n  -d "$(jq '{ operationId: "validate", input: { workflow: . } }' workflow.json)" | jq -e .result.valid`,
        ts: `import { readFile } from "node:fs/promises";
${connect(baseUrl)}
const workflow = JSON.parse(await readFile("workflow.json", "utf8"));
const checked = await platform.services.invoke("managed-workflows", {
  operationId: "validate",
  input: { workflow },
});
console.log(checked.result);`,
      }),
      heading("Executing it"),
      paragraph(
        "Create a run of `managed-workflows` / `execute` with `{ workflow, input }`. An invalid workflow is refused with 400 before any run exists. The result is `{ output }`: the workflow's own, else the output of its last step. [Follow](/docs/streams) the run to see each step as it happens.",
      ),
      samples({
        sh: `curl -s -X POST "${baseUrl}/v1/runs" \\\n  -H "Authorization: Bearer $API_KEY" \\\n  -H "Idempotency-Key: $(uuidgen)" \\\n  -H "Content-Type: application/json" \\\n  -d "$(jq '{ serviceId: "managed-workflows", operationId: "execute", input: { workflow: ., input: { user: "Ada" } } }' workflow.json)" | jq -e .run.id`,
        ts: `const run = await platform.runs.create({
  serviceId: "managed-workflows",
  operationId: "execute",
  input: { workflow, input: { user: "Ada" } },
});
console.log(run.id, run.status);`,
      }),
      paragraph(
        "Each step needs what the direct call needs, at the time it runs: scopes, service and operation access, limits and credits of the key that created the run. A refusal fails the run with its code, `api_key_revoked` after a revocation. Where a limit of calls a minute is exhausted, the step waits for its window.",
      ),
      ...storing(baseUrl),
      heading("Steps"),
      paragraph("Every step has an `id` of its own, and may have `retry` and `timeoutSeconds`."),
      table(["Type", "What it does", "Fields"], stepRows()),
      ...expressions(),
      ...failures(),
      heading("Limits"),
      table(
        ["Limit", "At most"],
        Object.entries({ ...WORKFLOW_LIMITS, ...STORED_LIMITS }).map(([name, most]) => [
          `\`${name}\``,
          most.toLocaleString("en"),
        ]),
      ),
    ],
  };
}

function storing(baseUrl: string): Block[] {
  return [
    heading("Storing it"),
    paragraph(
      "`put` stores a workflow under a name, `get` reads it, `list` lists the names, or with a name its versions. A change is the next version, and a version never changes; the same as the newest answers that one. `ifVersion` refuses with 409 what was written over another version than the newest (0: only a new name).",
    ),
    samples({
      sh: `curl -s -X POST "${baseUrl}/v1/services/managed-workflows/invoke" \\\n  -H "Authorization: Bearer $API_KEY" \\\n  -H "Idempotency-Key: $(uuidgen)" \\\n  -H "Content-Type: application/json" \\\n  -d "$(jq '{ operationId: "put", input: { name: "welcome", workflow: ., ifVersion: 0 } }' workflow.json)" | jq -e '.result.workflow.version == 1'`,
      ts: `const stored = await platform.services.invoke("managed-workflows", {
  operationId: "put",
  input: { name: "welcome", workflow, ifVersion: 0 },
});
console.log(stored.result);`,
    }),
    paragraph(
      "Start it by a run of `managed-workflows` / `start` with `{ name, version, input }`; without `version` the newest is chosen when the run is made. The run keeps it, whatever is put meanwhile, and its `workflow` names it: `{ id, name, version }`. `GET /runs` takes `workflowId` and `workflowVersion`. A key that is allowed `runs.create.managed-workflows.start` alone runs what is stored and nothing else.",
    ),
    samples({
      sh: `curl -s -X POST "${baseUrl}/v1/runs" \\\n  -H "Authorization: Bearer $API_KEY" \\\n  -H "Idempotency-Key: $(uuidgen)" \\\n  -H "Content-Type: application/json" \\\n  -d '{ "serviceId": "managed-workflows", "operationId": "start", "input": { "name": "welcome", "input": { "user": "Ada" } } }' | jq -e '.run.workflow.version == 1'`,
      ts: `const started = await platform.runs.create({
  serviceId: "managed-workflows",
  operationId: "start",
  input: { name: "welcome", input: { user: "Ada" } },
});
console.log(started.workflow);`,
    }),
    list([
      "`inputSchema`, a JSON Schema (2020-12), refuses an input with 400 before any run exists. Its patterns are RE2's; `format` is not judged; a schema by which nothing can be judged within two seconds refuses.",
      "Names belong to exactly one account, project and end user, as memories do: a key of a project, or `X-Service-Project`, starts the project's workflows and sees no others.",
      "`archive` lets the runs that there are go on, and answers 409 to `start`, `put` and retries until `restore`.",
      `The newest ${STORED_LIMITS.keptVersions} versions are kept, and older ones as long as a run of them lives or a [trigger](/docs/schedules) names them. [Retrying](/docs/runs.retry) a run keeps its version; \`workflowVersion\` names another one, from the failed step on too, and with \`input\` it is the newest, or the one that \`input\` names.`,
      "A step of type `run` starts one as a run of its own, as the same caller and charged as such, and waits for its end. `GET /runs?parentId=` lists those below a run. They end with the run above: cancelled, where that is cancelled, expires or fails. Such a run counts on `maxConcurrent` beside the one that waits for it.",
    ]),
  ];
}

function stepRows(): string[][] {
  const { $defs } = jsonSchemaOf(Workflow, { io: "input" });
  const common = ["id", "type", "retry", "timeoutSeconds"];
  return defined($defs?.WorkflowStep?.oneOf).map(({ properties = {}, required = [] }) => {
    const { type, ...fields } = properties;
    const own = Object.keys(fields).filter((name) => !common.includes(name));
    const shown = own.map((name) => `\`${name}\`${required.includes(name) ? "" : " (optional)"}`);
    return [`\`${type?.const}\``, String(type?.description ?? ""), shown.join(", ")];
  });
}

function expressions(): Block[] {
  return [
    heading("Expressions"),
    paragraph(
      "A text `{% … %}` is a [JSONata](https://docs.jsonata.org) expression over `{ input, steps, item, index, last, error }`. Alone, it becomes its value, whatever its type; within a longer text it becomes part of the text, things as JSON and nothing as nothing. A field whose expression selects nothing is left out.",
    ),
    list([
      "`steps.<id>` is the output of a step that comes before; the steps of a branch, of a parallel step's branches and of a try are known after it, those of a map or a loop only within it.",
      "`item` and `index` are known inside a map, `index` and `last` inside a loop, `error` inside a [catch](/docs/compensation), `callback.url` in a step that [is called back](/docs/waiting).",
      "`$now()` and `$millis()` are when the step began, `$random()` differs from run to run: a repeat after a crash sees what the first attempt saw.",
      "A number of more digits than a double keeps is handed on as it was answered. It has no arithmetic; `$number($string(x))` rounds it to one that has.",
      "The first `%}` ends an expression. One that takes more than two seconds, or more memory than it may, fails its step with `query_limit_exceeded`.",
    ]),
  ];
}

function failures(): Block[] {
  return [
    heading("Failures"),
    list([
      "`retry` attempts a failed step again, by default after errors that may pass (`retryable`, and `service_failed`); `on` names other codes. `Retry-After` lengthens a pause.",
      "A `try` [catches](/docs/compensation) what its steps fail with, by code, and undoes what was done.",
      "An attempt that takes longer than `timeoutSeconds` fails with `service_timeout`. Around steps that hold others it bounds everything inside, but of a `try` only its `steps`.",
      "An http step's output is any answer but 429 and 5xx, which fail it with `service_rate_limited`, `service_unavailable` (503) or `service_failed`.",
      "What was sent and never answered is unknown: it is repeated only for GET, HEAD, PUT and DELETE, or with `service_timeout` among `retry.on`. All attempts carry the same `Idempotency-Key`, so that a peer that honours it acts once.",
      "The run's `error` names the `step` by its path, e.g. `steps.each[3].send`, `steps.both[card].charge` or `steps.order[catch].refund`; its timeline has the same path as `step`: an entry `sent` before each answer, `retry` for an attempt that failed and is made again, and the step's end. A timeline has at most 10,000 entries; a run that reaches them fails with `timeline_limit_exceeded`.",
    ]),
  ];
}
