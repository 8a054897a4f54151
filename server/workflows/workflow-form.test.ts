import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";

const api = await startApi();

test("publishes the form of a workflow as JSON Schema, at one address", async () => {
  const answer = await fetch(`${api.origin}/docs/workflow.schema.json`);
  expect(answer.headers.get("content-type")).toBe("application/schema+json; charset=utf-8");
  expect(await answer.json()).toMatchObject({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "http://platform.test/docs/workflow.schema.json",
    $ref: "#/$defs/Workflow",
    $defs: { WorkflowStep: { oneOf: expect.anything() } },
  });
});
