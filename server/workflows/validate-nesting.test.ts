import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { invokeWorkflows } from "#server/testing/stored-workflows.ts";

const api = await startApi();
const { key } = await api.createRootKey();

const validate = async (workflow: unknown) =>
  (await invokeWorkflows(api, key, "validate", { workflow })).body.result;

const wait = (id: string, seconds: unknown = 1) => ({ id, type: "wait", seconds });
const parallel = (...branches: unknown[]) => ({ id: "a", type: "parallel", branches });
const flow = (...steps: unknown[]) => ({ name: "Test", steps });

test("accepts branches, a loop and a try whose steps use only visible outputs", async () => {
  const workflow = {
    ...flow(
      wait("pause"),
      {
        id: "both",
        type: "parallel",
        branches: [
          { id: "left", steps: [wait("here", "{% steps.pause %}")] },
          { id: "right", steps: [wait("there")] },
        ],
        concurrency: 1,
      },
      {
        id: "safe",
        type: "try",
        steps: [wait("risk", "{% steps.here + steps.both.right %}")],
        catch: { on: ["service_timeout", "approval_rejected"], steps: [wait("undo", "{% error.code %}")] },
        finally: [wait("last", "{% steps.risk + steps.undo %}")],
      },
      {
        id: "loop",
        type: "while",
        when: "{% index < 3 and $not(last.done) %}",
        maxIterations: 3,
        steps: [wait("again", "{% index + last %}")],
      },
    ),
    output: { undo: "{% steps.undo %}", right: "{% steps.both.right %}" },
  };
  expect(await validate(workflow)).toEqual({ valid: true, issues: [] });
});

test.each([
  [
    "one branch alone",
    flow({ id: "a", type: "parallel", branches: [{ id: "b", steps: [wait("c")] }] }),
    "steps.0.branches",
    "At least two branches.",
  ],
  [
    "a branch with the id of a step",
    flow(parallel({ id: "b", steps: [wait("c")] }, { id: "c", steps: [wait("d")] })),
    "steps.0.branches.1.id",
    'The id "c" is that of steps.0.branches.0.steps.0 already.',
  ],
  [
    "a step of another branch",
    flow(parallel({ id: "b", steps: [wait("c")] }, { id: "d", steps: [wait("e", "{% steps.c %}")] })),
    "steps.0.branches.1.steps.0.seconds",
    'No step "c" comes before this one.',
  ],
  [
    "a try that does nothing about a failure",
    flow({ id: "a", type: "try", steps: [wait("b")] }),
    "steps.0.catch",
    "Send catch, finally or both.",
  ],
  [
    "a code that no step fails with",
    flow({ id: "a", type: "try", steps: [wait("b")], catch: { on: ["oops"], steps: [wait("c")] } }),
    "steps.0.catch.on.0",
    expect.stringContaining("service_timeout"),
  ],
  [
    "an error outside of a catch",
    flow({ id: "a", type: "try", steps: [wait("b")], finally: [wait("c", "{% error.code %}")] }),
    "steps.0.finally.0.seconds",
    "error is only known inside the catch of a try step.",
  ],
  [
    "a loop without a bound",
    flow({ id: "a", type: "while", when: true, steps: [wait("b")] }),
    "steps.0.maxIterations",
    expect.stringContaining("number"),
  ],
  [
    "a loop beyond the limit",
    flow({ id: "a", type: "while", when: true, maxIterations: 1001, steps: [wait("b")] }),
    "steps.0.maxIterations",
    "At most 1000, not 1001.",
  ],
  [
    "a name that every object has",
    flow(wait("a", "{% constructor %}")),
    "steps.0.seconds",
    'Unknown name "constructor"; there are input, steps, item, index, last, error, callback.',
  ],
  [
    "the last iteration outside of a loop",
    flow(wait("a", "{% last %}")),
    "steps.0.seconds",
    "last is only known inside a while step.",
  ],
  [
    "a loop's inner step after the loop",
    flow(
      { id: "a", type: "while", when: true, maxIterations: 1, steps: [wait("b")] },
      wait("c", "{% steps.b %}"),
    ),
    "steps.1.seconds",
    'No step "b" comes before this one.',
  ],
])("names %s", async (_, workflow, path, message) => {
  expect(await validate(workflow)).toEqual({ valid: false, issues: [{ path, message }] });
});

test("refuses branches that are nested deeper than a workflow may be", async () => {
  let nested: unknown = wait("end");
  for (let level = 8; level >= 1; level--)
    nested = {
      id: `p${level}`,
      type: "parallel",
      branches: [
        { id: `a${level}`, steps: [nested] },
        { id: `b${level}`, steps: [wait(`w${level}`)] },
      ],
    };
  expect((await validate(flow(nested))).issues).toEqual([
    {
      path: `steps.0${".branches.0.steps.0".repeat(7)}.branches.0.steps`,
      message: "Nested deeper than 8 levels.",
    },
    {
      path: `steps.0${".branches.0.steps.0".repeat(7)}.branches.1.steps`,
      message: "Nested deeper than 8 levels.",
    },
  ]);
});
