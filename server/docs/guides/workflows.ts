import { defined } from "#server/base/defined.ts";
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
    lead: "Steps run durably, one after another: a finished step never runs twice, even after a crash.",
    blocks: [
      heading("A workflow"),
      paragraph(
        `A workflow is JSON; its form is published as [JSON Schema](${WORKFLOW_SCHEMA_PATH}), for editors and generators. \`validate\` of \`managed-workflows\` names all faults of a workflow, free of charge. [Testing a step](/docs/runs.steps.test) evaluates its expressions on the input and the results of an earlier run, and does nothing else.`,
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
        "Create a run of `managed-workflows` / `execute` with `{ workflow, input }`. An invalid workflow is refused with 400 before any run exists. The result is `{ output }`: the workflow's `output` if it has one, otherwise that of its last step. [Follow](/docs/streams) the run to see each step as it happens.",
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
        "When a step runs, it needs the same access as the direct call: scopes, service and operation access, limits and credits of the key that created the run. A refusal fails the run with its code, such as `api_key_revoked` after a revocation. If a limit of calls per minute is exhausted, the step waits until it allows a call.",
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
      "`put` stores a workflow under a name, `get` reads it, `list` lists the names, or with a name its versions. A change creates the next version, and a version never changes; storing the content of your own newest version again returns that version. With `ifVersion`, a change that is not based on the newest version gets 409 (0: only a new name).",
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
      "Start it by a run of `managed-workflows` / `start` with `{ name, version, input }`; without `version`, the newest is chosen when the run is created. The run keeps its version even if a newer one is stored, and its `workflow` names it: `{ id, name, version }`. `GET /runs` takes `workflowId` and `workflowVersion`. A key that is allowed only `runs.create.managed-workflows.start` can run stored workflows and nothing else.",
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
      "`inputSchema`, a JSON Schema (2020-12), refuses an input with 400 before any run exists. Its patterns use RE2's syntax; `format` is not checked; if a check takes longer than two seconds, the input is refused.",
      "Names belong to exactly one account, project and end user, like memories: a key of a project, or `X-Service-Project`, starts the project's workflows and sees no others.",
      "A workflow can be changed, archived and restored by the key that stored its newest version (`createdBy`), by the keys above that one, by members, and, once that key has ended, by root keys with at least its access; the caller who stores it again, even with the same content, becomes its author. Other keys of its project and end user can read and start it, with their own rights: their `put` with its name is refused with 409 [already_exists](/docs/errors/already_exists), `archive` and `restore` with 404 [not_found](/docs/errors/not_found). A member whose role lacks a scope of the author can archive and restore it, but not store it.",
      "`archive` does not affect existing runs; `start`, `put` and retries get 409 until `restore`.",
      `The newest ${STORED_LIMITS.keptVersions} versions are kept, and older ones as long as they have a live run or a [trigger](/docs/schedules) names them. [Retrying](/docs/runs.retry) a run keeps its version; \`workflowVersion\` names another one, from the failed step on too, and with \`input\` it is the newest, or the one that \`input\` names.`,
      "A step of type `run` starts a stored workflow as a separate run, as the same caller and charged as such, and waits for its end. `GET /runs?parentId=` lists the child runs of a run. They are cancelled if the parent run is cancelled, expires or fails. A child run counts against `maxConcurrent` in addition to its waiting parent.",
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
      "A text `{% … %}` is a [JSONata](https://docs.jsonata.org) expression over `{ input, steps, item, index, last, error }`. Alone, it becomes its value, of any type. Within a longer text, it becomes part of the text: objects and lists as JSON, a missing value as an empty text. A field whose expression selects nothing is left out.",
    ),
    list([
      "`steps.<id>` is the output of an earlier step; the steps of a branch, of a parallel step's branches and of a try can be read after it, those of a map or a loop only within it.",
      "`item` and `index` exist inside a map, `index` and `last` inside a loop, `error` inside a [catch](/docs/compensation), `callback.url` in a step [with a callback](/docs/waiting).",
      "`$now()` and `$millis()` return the time when the step began, and `$random()` differs from run to run: a repeat after a crash gets the same values as the first attempt.",
      "A number with more digits than a double can hold is passed on unchanged. It can't be used in arithmetic; `$number($string(x))` rounds it to a number that can.",
      "The first `%}` ends an expression. An expression that takes more than two seconds or too much memory fails its step with `query_limit_exceeded`.",
    ]),
  ];
}

function failures(): Block[] {
  return [
    heading("Failures"),
    list([
      "`retry` attempts a failed step again, by default after temporary errors (`retryable`, and `service_failed`); `on` names other codes. `Retry-After` lengthens a pause.",
      "While a database, the blob store or the evaluators of the platform itself are not available, the run waits for them: the step does not fail, and that is no attempt of its `retry`.",
      "A `try` [catches](/docs/compensation) its steps' errors by code, and undoes earlier steps.",
      "An attempt that takes longer than `timeoutSeconds` fails with `service_timeout`. On a step with nested steps it limits everything inside; on a `try`, only its `steps`.",
      "Any response except 429 and 5xx is the output of an http step; those fail it with `service_rate_limited`, `service_unavailable` (503) or `service_failed`.",
      "A request that was sent but never answered has an unknown outcome: it is repeated only for GET, HEAD, PUT and DELETE, or if `retry.on` contains `service_timeout`. All attempts have the same `Idempotency-Key`, so that a server that supports it acts once.",
      "The run's `error` names the `step` by its path, e.g. `steps.each[3].send`, `steps.both[card].charge` or `steps.order[catch].refund`; its timeline has the same path as `step`: an entry `sent` before each response, `retry` for each failed attempt that is repeated, and an entry for the step's end. A timeline has at most 10,000 entries; a run that reaches them fails with `timeline_limit_exceeded`. A run keeps at most 64 MB of inputs and outputs; one that exceeds them fails with `size_limit_exceeded`.",
    ]),
  ];
}
