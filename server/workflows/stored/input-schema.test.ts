import { afterAll, expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { startClock } from "#server/testing/cpu.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { runWith, startRuns } from "#server/testing/runs.ts";
import { invokeWorkflows, startStored, storeWorkflow } from "#server/testing/stored-workflows.ts";

const api = await startApi();
const worker = await startRuns(api);
afterAll(() => worker.stop());
const { key } = await createPayingKey(api, 10_000);

const steps = [{ id: "pause", type: "wait", seconds: 0 }];
const put = (inputSchema: unknown) =>
  invokeWorkflows(api, key, "put", { name: "hostile", workflow: { name: "Hostile", steps }, inputSchema });

test("refuses an input that the version's schema refuses, before any run exists", async () => {
  const inputSchema = {
    type: "object",
    required: ["user"],
    properties: { user: { type: "string" }, tags: { type: "array", items: { type: "integer" } } },
    additionalProperties: false,
  };
  await storeWorkflow(api, key, "greet", steps, { inputSchema, output: "Hello, {% input.user %}." });
  const refused = await startStored(api, key, { name: "greet", input: { tags: [1, "two"], more: 1 } });
  expect(refused.body.error).toMatchObject({
    status: 400,
    code: "invalid_request",
    operationState: "not_started",
  });
  expect(refused.body.error.issues).toEqual(
    expect.arrayContaining([
      { path: "body.input.input.user", message: "Required." },
      { path: "body.input.input.more", message: "Unknown field." },
      { path: "body.input.input.tags.1", message: "It must be integer." },
    ]),
  );
  expect((await startStored(api, key, { name: "greet" })).status).toBe(400);
  expect((await api.send("GET", "/v1/runs", { key })).body.runs).toEqual([]);
  const { run } = (await startStored(api, key, { name: "greet", input: { user: "Ada" } })).body;
  expect((await runWith(api, key, run.id, "succeeded")).result).toEqual({ output: "Hello, Ada." });
  const { result } = (await invokeWorkflows(api, key, "get", { name: "greet" })).body;
  expect(result.inputSchema).toEqual(inputSchema);
});

/** Each definition doubles the previous one. */
const doubling = Object.fromEntries(
  Array.from({ length: 60 }, (_, nth) => [
    `d${nth}`,
    { anyOf: [{ $ref: `#/$defs/d${nth + 1}` }, { allOf: [{ $ref: `#/$defs/d${nth + 1}` }] }] },
  ]),
);

test.each([
  ["is no schema", { type: "nothing" }],
  ["refers to an unknown document", { $ref: "https://example.com/other.json" }],
  ["has a pattern that backtracks", { pattern: "^(?=a)(a+)+$" }],
  ["answers later", { $async: true, type: "object" }],
  ["breaks out of the code that is made of it", { properties: { "']; process.exit(); //": { type: 1 } } }],
])("refuses a schema that %s", async (_, schema) => {
  const { body } = await put(schema);
  expect(body.error).toMatchObject({ status: 400, issues: [{ path: "body.input.inputSchema" }] });
});

test.each([
  ["never ends", { $defs: { ...doubling, d60: { type: "string" } }, $ref: "#/$defs/d0" }, 1],
  ["calls itself", { $defs: { a: { allOf: [{ $ref: "#/$defs/a" }] } }, $ref: "#/$defs/a" }, 1],
  [
    "takes all memory",
    { type: "array", items: { enum: Array.from({ length: 5000 }, (_, nth) => [nth]) } },
    [1],
  ],
])("goes on serving while a schema %s", async (_, schema, input) => {
  const stored = await put(schema);
  const judged =
    stored.status === 200 ? startStored(api, key, { name: "hostile", input }) : Promise.resolve(stored);
  for (let nth = 0; nth < 20; nth++) {
    const clock = startClock();
    expect((await api.send("GET", "/v1/credits/balance", { key })).status).toBe(200);
    expect(clock()).toBeLessThan(1500);
  }
  expect((await judged).status).toBe(400);
  // The next one is validated as usual.
  await storeWorkflow(api, key, "sound", steps, { inputSchema: { type: "number" } });
  expect((await startStored(api, key, { name: "sound", input: "one" })).status).toBe(400);
  expect((await startStored(api, key, { name: "sound", input: 1 })).status).toBe(202);
});
