import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";

const api = await startApi();
const { key } = await api.createRootKey();

async function validated(workflow: unknown) {
  const { body } = await api.send("POST", "/v1/services/managed-workflows/invoke", {
    key,
    body: { operationId: "validate", input: { workflow } },
  });
  return body;
}

const validate = async (workflow: unknown) => (await validated(workflow)).result;
const issuesOf = async (workflow: unknown) => (await validate(workflow)).issues;

const wait = (id: string, seconds: unknown = 1) => ({ id, type: "wait", seconds });
const flow = (...steps: unknown[]) => ({ name: "Test", steps });

test("accepts a workflow that has every type of step, for free", async () => {
  const workflow = {
    name: "Everything",
    steps: [
      {
        id: "keep",
        type: "invoke",
        serviceId: "managed-memory",
        operationId: "put",
        input: { content: "Hello, {% input.name %}.", tags: "{% input.tags[$ != 'old'] %}" },
        retry: { maxAttempts: 3, backoffSeconds: 1, factor: 2, on: ["service_unavailable"] },
        timeoutSeconds: 30,
      },
      { id: "list", type: "operation", operation: "projects.list", query: { limit: "5" } },
      {
        id: "rename",
        type: "operation",
        operation: "projects.update",
        params: { projectId: "{% steps.list.projects[0].id %}" },
        body: { name: "{% $uppercase(steps.list.projects[0].name) %}" },
      },
      {
        id: "send",
        type: "http",
        connectionId: "{% input.connectionId %}",
        method: "POST",
        url: "https://example.com/{% steps.keep.memory.id %}",
        headers: { "x-source": "workflow" },
        body: { text: "{% steps.keep.memory.content %}" },
      },
      wait("pause", "{% input.seconds %}"),
      {
        id: "paid",
        type: "await",
        events: [{ name: "order.paid", key: "{% input.order %}" }],
        timeoutSeconds: 60,
        onTimeout: "continue",
      },
      { id: "ask", type: "approval", summary: "Send {% steps.send.status %}?" },
      {
        id: "check",
        type: "branch",
        cases: [{ when: "{% steps.ask.id != '' %}", steps: [wait("inner")] }],
        else: [wait("otherwise")],
      },
      {
        id: "each",
        type: "map",
        items: "{% input.list %}",
        concurrency: 3,
        steps: [
          {
            id: "part",
            type: "artifact",
            name: "{% index %}.txt",
            mediaType: "text/plain",
            content: "{% item %}",
          },
        ],
      },
    ],
    output: { parts: "{% steps.each.sizeBytes %}", inner: "{% steps.inner %}" },
  };
  expect(await validated(workflow)).toMatchObject({ chargedCredits: 0, result: { valid: true, issues: [] } });
});

test.each([
  ["nothing", null, "", "Send an object, not null."],
  ["no steps", flow(), "steps", "At least one step."],
  [
    "an unknown type of step",
    flow({ id: "a", type: "teleport" }),
    "steps.0.type",
    "Send one of invoke, operation, http, wait, await, approval, branch, map, parallel, try, while, artifact, run.",
  ],
  ["an unknown field", flow({ ...wait("a"), minutes: 1 }), "steps.0.minutes", "Unknown field."],
  [
    "a missing field",
    flow({ id: "a", type: "wait" }),
    "steps.0.seconds",
    "Send a number, or an expression {% … %}.",
  ],
  [
    "an id that is no name",
    flow(wait("1a")),
    "steps.0.id",
    "A letter, then at most 63 letters, digits, _ or -.",
  ],
  [
    "an id twice",
    flow(wait("a"), { id: "b", type: "map", items: [], concurrency: 1, steps: [wait("a")] }),
    "steps.1.steps.0.id",
    'The id "a" is that of steps.0 already.',
  ],
  [
    "an unknown service",
    flow({ id: "a", type: "invoke", serviceId: "nothing", operationId: "put", input: {} }),
    "steps.0.serviceId",
    "No service nothing.",
  ],
  [
    "an unknown operation of a service",
    flow({ id: "a", type: "invoke", serviceId: "managed-memory", operationId: "burn", input: {} }),
    "steps.0.operationId",
    'Service managed-memory has no operation "burn".',
  ],
  [
    "invoking an operation with an endpoint",
    flow({ id: "a", type: "invoke", serviceId: "platform-api", operationId: "projects.list", input: {} }),
    "steps.0.operationId",
    'projects.list is not invoked. Use a step of type operation with operation "projects.list".',
  ],
  [
    "invoking an operation that only runs",
    flow({ id: "a", type: "invoke", serviceId: "managed-workflows", operationId: "execute", input: {} }),
    "steps.0.operationId",
    'managed-workflows execute only runs durably. Use a step of type operation with operation "runs.create".',
  ],
  [
    "an unknown operation",
    flow({ id: "a", type: "operation", operation: "projects.burn" }),
    "steps.0.operation",
    'No operation "projects.burn".',
  ],
  [
    "an operation of the console's",
    flow({ id: "a", type: "operation", operation: "auditEvents.read" }),
    "steps.0.operation",
    'No operation "auditEvents.read".',
  ],
  [
    "an operation whose answer is a secret",
    flow({ id: "a", type: "operation", operation: "apiKeys.create", body: {} }),
    "steps.0.operation",
    "The answer of apiKeys.create holds a secret, which a run would keep. Call it directly.",
  ],
  [
    "an operation that takes raw bytes",
    flow({ id: "a", type: "operation", operation: "files.create" }),
    "steps.0.operation",
    "files.create takes raw bytes, which no step can send. Call it directly.",
  ],
  [
    "a path parameter that is missing",
    flow({ id: "a", type: "operation", operation: "projects.read" }),
    "steps.0.params.projectId",
    "projects.read needs it in its path.",
  ],
  [
    "a field that the operation does not take",
    flow({ id: "a", type: "operation", operation: "projects.create", body: { title: "x" } }),
    "steps.0.body.title",
    "Unknown field.",
  ],
  [
    "a step that comes later",
    flow(wait("a", "{% steps.b.seconds %}"), wait("b")),
    "steps.0.seconds",
    'No step "b" comes before this one.',
  ],
  [
    "a step of another case",
    flow({
      id: "a",
      type: "branch",
      cases: [
        { when: true, steps: [wait("b")] },
        { when: true, steps: [wait("c", "{% steps.b %}")] },
      ],
    }),
    "steps.0.cases.1.steps.0.seconds",
    'No step "b" comes before this one.',
  ],
  [
    "a map's inner step after the map",
    flow(
      { id: "a", type: "map", items: [1], concurrency: 1, steps: [wait("b")] },
      wait("c", "{% $$.steps.b %}"),
    ),
    "steps.1.seconds",
    'No step "b" comes before this one.',
  ],
  [
    "an item outside of a map",
    flow(wait("a", "{% item.seconds %}")),
    "steps.0.seconds",
    "item is only known inside a map.",
  ],
  [
    "a name that nothing has",
    flow(wait("a", "{% inputs.seconds %}")),
    "steps.0.seconds",
    'Unknown name "inputs"; there are input, steps, item, index, last, error, callback.',
  ],
  [
    "an expression that is none, with its position",
    flow({ id: "a", type: "approval", summary: "Pay {% input.amount + %}?" }),
    "steps.0.summary",
    "Unexpected end of expression, at character 22.",
  ],
  [
    "an expression that nothing closes",
    flow({ id: "a", type: "approval", summary: "Pay {% input.amount" }),
    "steps.0.summary",
    "A {% that no %} closes, at character 5.",
  ],
  [
    "an expression beyond the limit",
    flow({ id: "a", type: "approval", summary: `{% ${"1+".repeat(2000)}1 %}` }),
    "steps.0.summary",
    "An expression of more than 4000 characters, at character 3.",
  ],
  [
    "a summary that is shown as another one",
    flow({ id: "a", type: "approval", summary: "Pay \u202e001?" }),
    "steps.0.summary",
    "Leave out characters that turn the direction of text (U+202A to U+202E, U+2066 to U+2069): they make a text look like another one.",
  ],
  [
    "too much at a time",
    flow({ id: "a", type: "map", items: [1], concurrency: 21, steps: [wait("b")] }),
    "steps.0.concurrency",
    "At most 20, not 21.",
  ],
  ["a wait beyond 30 days", flow(wait("a", 2_592_001)), "steps.0.seconds", "At most 2592000, not 2592001."],
])("names %s", async (_, workflow, path, message) => {
  expect(await validate(workflow)).toEqual({ valid: false, issues: [{ path, message }] });
});

test("refuses more steps, levels or bytes than a workflow may have", async () => {
  const many = flow(
    ...[0, 1].map((nth) => {
      const steps = Array.from({ length: 150 }, (_, step) => wait(`s${nth}_${step}`));
      return { id: `m${nth}`, type: "map", items: [], concurrency: 1, steps };
    }),
  );
  expect(await issuesOf(many)).toEqual([{ path: "steps", message: "302 steps in all; at most 200." }]);
  let step: unknown = wait("leaf");
  for (let level = 1; level <= 8; level++)
    step = { id: `l${level}`, type: "map", items: [], concurrency: 1, steps: [step] };
  const path = `steps.0${".steps.0".repeat(7)}.steps`;
  expect(await issuesOf(flow(step))).toEqual([{ path, message: "Nested deeper than 8 levels." }]);
  const input = { content: "x".repeat(270_000) };
  const long = { id: "a", type: "invoke", serviceId: "managed-memory", operationId: "put", input };
  expect(await issuesOf(flow(long))).toEqual([
    { path: "", message: "The workflow has 270124 bytes; at most 262144." },
  ]);
});

test.each([
  "$map(input.list, function($v){ $v.steps.any + steps.a })",
  "input.list[steps.price > 3].(name & other)",
  "input.list{steps.kind: $sum(price)}",
  "input.list^(>steps.price)#$place.{'name': steps.name, 'place': $place}",
  "input ~> |list|{'steps': steps.none}|",
  "steps.`my-step`.x & steps['a']",
  "($x := input.list; $x.steps.y; $lookup(steps, 'a'))",
  "**.steps.z",
])("tells steps from fields in %s", async (expression) => {
  const workflow = flow(wait("a"), wait("my-step"), wait("b", `{% ${expression} %}`));
  expect(await validate(workflow)).toEqual({ valid: true, issues: [] });
});

test("parses no expression whose path would take the parser seconds, nor any of a workflow that is too large", async () => {
  const long = flow(wait("a", `{% input${".a".repeat(250)} %}`));
  expect(await issuesOf(long)).toEqual([
    { path: "steps.0.seconds", message: "An expression with 250 dots or more, at character 3." },
  ]);
  const query = { text: "{% ( %}".repeat(2800) };
  const written = Array.from({ length: 14 }, (_, nth) => ({
    id: `s${nth}`,
    type: "operation",
    operation: "projects.list",
    query,
  }));
  const message = expect.stringContaining("at most 262144.");
  expect(await issuesOf(flow(...written))).toMatchObject([{ path: "", message }]);
});
