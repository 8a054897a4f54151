import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";

const api = await startApi();

const answer = await fetch(`${api.origin}/docs/workflow.schema.json`);
const published = await answer.json();

test("publishes the form of a workflow as JSON Schema, at one address", async () => {
  expect(answer.headers.get("content-type")).toBe("application/schema+json; charset=utf-8");
  expect(published).toMatchObject({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "http://platform.test/docs/workflow.schema.json",
    $ref: "#/$defs/Workflow",
    $defs: { WorkflowStep: { oneOf: expect.anything() } },
  });
});

const judge = new Ajv2020({ strict: false }).compile(published);
const pause = (id: string) => ({ id, type: "wait", seconds: 1 });
const parallel = {
  id: "both",
  type: "parallel",
  branches: [
    { id: "left", steps: [pause("here")] },
    { id: "right", steps: [pause("there")] },
  ],
  concurrency: 1,
};
const caught = {
  id: "safe",
  type: "try",
  steps: [pause("risk")],
  catch: { on: ["service_timeout"], steps: [pause("undo")] },
  finally: [pause("last")],
};
const loop = {
  id: "loop",
  type: "while",
  when: "{% index < 3 %}",
  maxIterations: 3,
  steps: [pause("again")],
};
const child = { id: "child", type: "run", name: "restock", version: 2, input: { order: "4711" } };

test.each([
  ["parallel", parallel],
  ["try", caught],
  ["while", loop],
  ["run", child],
])("publishes the form of a step %s, inside another one too", (_, step) => {
  const inside = { ...loop, id: "around", steps: [step] };
  expect(judge({ name: "Form", steps: [step, inside] }) || judge.errors).toBe(true);
});

test.each([
  ["a parallel without branches", { ...parallel, branches: undefined }],
  ["a parallel of one branch", { ...parallel, branches: [{ id: "left", steps: [pause("here")] }] }],
  ["a branch without an id", { ...parallel, branches: [{ steps: [pause("here")] }, parallel.branches[1]] }],
  ["a branch without steps", { ...parallel, branches: [{ id: "left" }, parallel.branches[1]] }],
  ["a try without steps", { ...caught, steps: undefined }],
  ["a catch without steps", { ...caught, catch: { on: ["service_timeout"] } }],
  ["a catch of a code that no step fails with", { ...caught, catch: { ...caught.catch, on: ["oops"] } }],
  ["a finally that is no list", { ...caught, finally: pause("last") }],
  ["a while without an end", { ...loop, maxIterations: undefined }],
  ["a while of too many iterations", { ...loop, maxIterations: 1001 }],
  ["a while without a condition", { ...loop, when: undefined }],
  ["a run without a name", { ...child, name: undefined }],
  ["a run of no version", { ...child, version: 0 }],
  ["a field of another type of step", { ...child, branches: [] }],
  ["an unknown type", { ...child, type: "repeat" }],
])("publishes a form that refuses %s, inside another step too", (_, step) => {
  const broken = JSON.parse(JSON.stringify(step));
  expect(judge({ name: "Form", steps: [broken] })).toBe(false);
  expect(judge({ name: "Form", steps: [{ ...caught, finally: [broken] }] })).toBe(false);
});
