import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { startCalledPeer } from "#server/testing/called-peer.ts";
import { runWith, startRuns } from "#server/testing/runs.ts";
import { startStored, storeWorkflow } from "#server/testing/stored-workflows.ts";
import { createStarter } from "#server/testing/workflows.ts";

const api = await startApi();
await startRuns(api, { slots: 8, perAccount: 8 });

const put = (id: string, content: unknown) => ({
  id,
  type: "invoke",
  serviceId: "managed-memory",
  operationId: "put",
  input: { content },
});

const named = (steps: unknown[]) => ({ name: "Test", steps });

async function begin(behave?: Parameters<typeof startCalledPeer>[1]) {
  const starter = await createStarter(api);
  const peer = await startCalledPeer(starter.connect, behave);
  const ask = (runId: string, body: unknown, key = starter.root) =>
    api.send("POST", `/v1/runs/${runId}/steps/test`, { key, body });

  async function ended(steps: unknown[], input: unknown, status: string) {
    const id = await starter.start(named(steps), input);
    await runWith(api, starter.root, id, status);
    return id;
  }

  /** Tests a step of the run's workflow, or of these steps instead. */
  async function reach(runId: string, step: string, steps?: unknown[]) {
    const { status, body } = await ask(runId, { step, ...(steps && { workflow: named(steps) }) });
    expect({ status, error: body.error }).toEqual({ status: 200, error: undefined });
    return body.test;
  }
  return { ...starter, ...peer, ask, ended, reach };
}

test("evaluates a step on an earlier run's input and outputs, without executing it", async () => {
  const { ended, reach, call, paths, get } = await begin();
  const letter = put("letter", "Dear {% input.name %}, {% steps.ask.body.path %}");
  const runId = await ended([call("ask"), letter], { name: "Ada" }, "succeeded");
  const credits = async () => (await get("/v1/credits/balance")).body.balance.totalCredits;
  const before = await credits();
  expect(await reach(runId, "letter")).toEqual({
    step: "steps.letter",
    type: "invoke",
    fields: {
      serviceId: "managed-memory",
      operationId: "put",
      input: { content: "Dear Ada, /ask" },
    },
    decision: null,
    issues: [],
  });
  const corrected = [call("ask"), put("letter", "{% $uppercase(input.name) %} {% steps.ask.status %}")];
  expect((await reach(runId, "steps.letter", corrected)).fields.input).toEqual({ content: "ADA 200" });
  expect((await reach(runId, "ask")).fields).toMatchObject({ method: "POST" });
  expect(paths()).toEqual(["/ask"]);
  expect(await credits()).toBe(before);
});

test("reports the failing expression and its error", async () => {
  const { ended, reach } = await begin();
  const runId = await ended([put("first", "x")], { name: "Ada" }, "succeeded");
  const wrong = [put("first", "x"), put("second", "{% $error('no ' & input.name) %}")];
  expect(await reach(runId, "second", wrong)).toEqual({
    step: "steps.second",
    type: "invoke",
    fields: null,
    decision: null,
    issues: [{ path: "steps.second.input.content", message: expect.stringContaining("no Ada") }],
  });
  const endless = [put("first", "{% ($f := function($n) { $f($n + 1) }; $f(0)) %}")];
  expect(await reach(runId, "first", endless)).toMatchObject({
    fields: null,
    issues: [{ message: expect.stringContaining("Not done within 2 s.") }],
  });
});

test("shows the decisions of steps that contain others, and their variables inside", async () => {
  const { ended, reach } = await begin();
  const steps = [
    {
      id: "check",
      type: "branch",
      cases: [{ when: "{% input.count > 5 %}", steps: [put("many", "many")] }],
      else: [put("few", "{% input.count %} few")],
    },
    {
      id: "each",
      type: "map",
      items: "{% input.names %}",
      concurrency: 2,
      steps: [put("part", "{% item %} {% index %}"), put("whole", "{% steps.part.memory.content %}!")],
    },
    {
      id: "both",
      type: "parallel",
      branches: [
        { id: "left", steps: [put("one", "1")] },
        { id: "right", steps: [put("two", "{% steps.few.memory.content %}"), put("three", "3")] },
      ],
    },
    {
      id: "again",
      type: "while",
      when: "{% index < 2 %}",
      maxIterations: 5,
      steps: [put("round", "{% index %} after {% last.memory.content %}")],
    },
  ];
  const runId = await ended(steps, { count: 3, names: ["Ada", "Bob"] }, "succeeded");
  const content = async (step: string) => {
    const { step: path, fields } = await reach(runId, step);
    return [path, fields.input.content];
  };
  expect(await reach(runId, "check")).toMatchObject({
    fields: { "cases.0.when": false },
    decision: { case: -1 },
  });
  expect(await content("few")).toEqual(["steps.check.few", "3 few"]);
  expect(await reach(runId, "each")).toMatchObject({
    fields: { items: ["Ada", "Bob"] },
    decision: { items: 2 },
  });
  expect(await content("whole")).toEqual(["steps.each[0].whole", "Ada 0!"]);
  expect(await content("steps.each[1].whole")).toEqual(["steps.each[1].whole", "Bob 1!"]);
  expect(await content("two")).toEqual(["steps.both[right].two", "3 few"]);
  expect(await content("steps.again[1].round")).toEqual(["steps.again[1].round", "1 after 0 after "]);
  expect(await reach(runId, "again")).toMatchObject({ step: "steps.again[0]", fields: { when: true } });
  expect(await reach(runId, "steps.again[2]")).toMatchObject({ fields: { when: false } });
});

test("reaches the step that failed, those that caught it, and those after", async () => {
  const { ended, reach, call } = await begin();
  const steps = [
    {
      id: "safe",
      type: "try",
      steps: [call("charge"), call("fail", "/fail/{% input.name %}")],
      catch: {
        steps: [put("undo", "{% error.code %} of {% error.step %} after {% steps.charge.body.path %}")],
      },
    },
    { id: "note", type: "approval", summary: "{% steps.undo.memory.content %}?" },
  ];
  const runId = await ended(steps, { name: "ada" }, "awaiting_approval");
  expect((await reach(runId, "fail")).fields.url).toMatch(/\/fail\/ada$/);
  const content = "service_failed of steps.safe.fail after /charge";
  expect((await reach(runId, "undo")).fields.input).toEqual({ content });
  expect((await reach(runId, "note")).fields).toEqual({ summary: `${content}?` });
});

test("reaches a step that was attempted several times", async () => {
  const { ended, reach, call } = await begin();
  const retry = { maxAttempts: 3, backoffSeconds: 0, factor: 1 };
  const steps = [{ ...call("fail", "/fail/{% input %}"), retry }, put("never", "x")];
  const runId = await ended(steps, 7, "failed");
  expect((await reach(runId, "fail")).fields.url).toMatch(/\/fail\/7$/);
});

test("says where the run did not get to the step", async () => {
  const { ended, ask, call } = await begin();
  const steps = [
    {
      id: "check",
      type: "branch",
      cases: [{ when: "{% input.yes %}", steps: [put("here", "x")] }],
      else: [put("there", "x")],
    },
    call("fail"),
    put("after", "{% steps.fail.status %}"),
  ];
  const runId = await ended(steps, { yes: true }, "failed");
  expect((await ask(runId, { step: "after" })).body.error).toMatchObject({
    status: 409,
    code: "state_conflict",
    message: `Run ${runId} has no output of steps.fail, which comes before. Choose a run that got further.`,
  });
  const none = await ask(runId, { step: "there" });
  expect(none.body.error).toMatchObject({ status: 409, code: "state_conflict" });
  expect((await ask(runId, { step: "nowhere" })).body.error).toMatchObject({
    status: 409,
    message: `The workflow of run ${runId} has no step "nowhere".`,
  });
  const faulty = { step: "after", workflow: named([put("after", "{% steps.later %}")]) };
  expect((await ask(runId, faulty)).body.error.issues).toEqual([
    { path: expect.stringMatching(/^body\.workflow\.steps\.0\./), message: expect.any(String) },
  ]);
});

test("gives up on a way that is too long, and lets others be answered meanwhile", async () => {
  const { ended, ask, get } = await begin();
  const runId = await ended([put("first", "x")], null, "succeeded");
  const list = Array.from({ length: 1000 }, (_, nth) => nth);
  const map = (id: string, steps: unknown[]) => ({ id, type: "map", items: list, concurrency: 1, steps });
  const loop = (id: string, steps: unknown[]) => ({
    id,
    type: "while",
    when: true,
    maxIterations: 1000,
    steps,
  });
  const ways = [
    [map("a", [map("b", [map("c", [put("new", "x"), put("wanted", "x")])])])],
    [map("a", [loop("b", [{ ...map("c", [put("new", "x")]), items: [] }]), put("wanted", "x")])],
  ];
  for (const steps of ways) {
    const asked = ask(runId, { step: "wanted", workflow: named(steps) });
    expect((await get("/v1/runs")).status).toBe(200);
    expect((await asked).body.error).toMatchObject({ status: 422, code: "query_limit_exceeded" });
  }
});

test("takes the version that a run of a stored workflow is of", async () => {
  const { root, reach } = await begin();
  await storeWorkflow(api, root, "letters", [put("letter", "Dear {% input.name %}")]);
  const started = await startStored(api, root, { name: "letters", input: { name: "Ada" } });
  const runId = started.body.run.id;
  await storeWorkflow(api, root, "letters", [put("other", "x")]);
  expect((await reach(runId, "letter")).fields.input).toEqual({ content: "Dear Ada" });
});

test("finds no run of another account, and none that is not a workflow", async () => {
  const { ended, ask, root, get } = await begin();
  const runId = await ended([put("first", "x")], null, "succeeded");
  const other = await begin();
  const foreign = await ask(runId, { step: "first" }, other.root);
  expect(foreign.body.error).toMatchObject({ status: 404, code: "not_found" });
  const narrow = await api.createChild(root, { scopes: ["runs:write"] });
  expect((await ask(runId, { step: "first" }, narrow.key)).body.error).toMatchObject({
    status: 403,
    code: "scope_missing",
  });
  const memory = await api.send("POST", "/v1/runs", {
    key: root,
    body: { serviceId: "managed-memory", operationId: "put", input: { content: "x" } },
  });
  const none = await ask(memory.body.run.id, { step: "first" });
  expect(none.body.error).toMatchObject({ status: 409, code: "state_conflict" });
  expect((await get("/v1/runs")).body.runs).toHaveLength(2);
});
