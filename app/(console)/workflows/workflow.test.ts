import { expect, test } from "vitest";
import type { Run } from "#app/(console)/runs/queries.ts";
import { againPage, drawnWorkflow, stepIn } from "#app/(console)/workflows/workflow.ts";

const wait = (id: string) => ({ id, type: "wait", seconds: 1 });
const workflow = {
  name: "Fulfil an order",
  steps: [
    {
      id: "order",
      type: "try",
      timeoutSeconds: 60,
      steps: [
        {
          id: "both",
          type: "parallel",
          branches: [
            { id: "left", steps: [wait("here")] },
            { id: "right", steps: [wait("there")] },
          ],
        },
      ],
      catch: { on: ["not_found", "service_failed"], steps: [wait("undo")] },
      finally: [wait("last")],
    },
    {
      id: "again",
      type: "while",
      when: "{% index < 2 %}",
      maxIterations: 3,
      steps: [wait("count")],
    },
  ],
};

test("draws branches, loops and failure handling under titles", () => {
  const { steps } = drawnWorkflow(workflow);
  const drawn = (nth: number) =>
    steps[nth]?.inside.map(({ title, steps }) => [title, steps.map(({ id }) => id)]);
  expect(drawn(0)).toEqual([
    ["try", ["both"]],
    ["catch not_found or service_failed", ["undo"]],
    ["finally", ["last"]],
  ]);
  expect(drawn(1)).toEqual([["at most 3 times", ["count"]]]);
  expect(steps[1]?.what).toBe("while {% index < 2 %}");
  expect(steps[0]?.inside[0]?.steps[0]?.inside.map(({ title }) => title)).toEqual(["left", "right"]);
});

test("draws nothing for missing parts", () => {
  const { steps } = drawnWorkflow({ steps: [{ type: "try", catch: null }, { type: "parallel" }] });
  expect(steps.map(({ inside }) => inside.map(({ title }) => title))).toEqual([["try", "catch"], []]);
});

test.each([
  ["steps.order", { id: "order", type: "try", timeoutSeconds: 60 }],
  ["steps.order.both[right].there", wait("there")],
  ["steps.order[catch].undo", wait("undo")],
  ["steps.order[finally].last", wait("last")],
  ["steps.again[1].count", wait("count")],
  ["steps.order[catch]", null],
])("finds %s as it is written, without its inner steps", (path, written) => {
  expect(stepIn(workflow, path)).toEqual(written);
});

test("the editor runs an inline workflow again, and the operation's form a stored one", () => {
  const page = (operationId: string, input: unknown) =>
    againPage({ id: "run_1", serviceId: "managed-workflows", operationId, input } as Run);
  expect(page("execute", { workflow, input: null })).toBe("/workflows/new?from=run_1");
  expect(page("start", { name: "restock", input: { count: 3 } })).toBe("/runs/new?from=run_1");
});
