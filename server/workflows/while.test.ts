import { afterAll, expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { startCalledPeer } from "#server/testing/called-peer.ts";
import { startRuns } from "#server/testing/runs.ts";
import { createStarter } from "#server/testing/workflows.ts";

const api = await startApi();
const worker = await startRuns(api, { slots: 8, perAccount: 8 });
afterAll(() => worker.stop());

const loop = (when: unknown, steps: unknown[], more: object = {}) => ({
  id: "loop",
  type: "while",
  when,
  maxIterations: 100,
  steps,
  ...more,
});
const nothing = { id: "nothing", type: "wait", seconds: 0 };

test("repeats while its condition holds, and passes each iteration the previous one's output", async () => {
  const { run, connect } = await createStarter(api);
  const { call, paths } = await startCalledPeer(connect, (path) => {
    const page = Number(path.split("/")[2]);
    return { body: { next: page < 3 ? page + 1 : null, page } };
  });
  const steps = [
    { id: "pause", type: "wait", seconds: 0.02 },
    call("page", "/page/{% index = 0 ? 1 : last.body.next %}"),
  ];
  const ended = await run([loop("{% index = 0 or last.body.next != null %}", steps)]);
  expect(paths()).toEqual(["/page/1", "/page/2", "/page/3"]);
  expect(ended.result.output.body).toEqual({ next: null, page: 3 });
  const steps2 = ended.timeline.map(({ step }: { step: string | null }) => step);
  expect(steps2).toContain("steps.loop[2].page");
  expect(steps2).not.toContain("steps.loop[3]");
});

test("runs nothing and returns null if its condition does not hold at first", async () => {
  const { run } = await createStarter(api);
  const ended = await run([loop("{% $exists(last) %}", [nothing])], null, { out: "{% steps.loop %}" });
  expect(ended.result.output).toEqual({ out: null });
});

test.each([
  ["its condition never ends to hold", { when: true, maxIterations: 3 }, "steps.loop", "after 3 iterations"],
  [
    "its condition is never done",
    { when: "{% ($f := function(){$f()}; $f()) %}" },
    "steps.loop[0]",
    "Not done within 2 s.",
  ],
])("fails with a clear code where %s", async (_, more, step, message) => {
  const { fail } = await createStarter(api);
  const ended = await fail([loop(true, [nothing], more)]);
  expect(ended.error).toMatchObject({
    code: "query_limit_exceeded",
    step,
    message: expect.stringContaining(message),
  });
});

test("ends at its timeout whatever its condition", async () => {
  const { fail } = await createStarter(api);
  const steps = [{ id: "pause", type: "wait", seconds: 0.1 }];
  const ended = await fail([loop(true, steps, { maxIterations: 1000, timeoutSeconds: 2 })]);
  expect(ended.error).toMatchObject({ code: "service_timeout" });
  expect(ended.error.step).toMatch(/^steps\.loop\[\d+\]\.pause$/);
});

test("counts by itself inside of a map, whose item it sees", async () => {
  const { run } = await createStarter(api);
  const put = {
    id: "put",
    type: "artifact",
    name: "{% item %}{% index %}.txt",
    mediaType: "text/plain",
    content: "{% last.name %}",
  };
  const steps = [loop("{% index < 2 %}", [put])];
  const each = { id: "each", type: "map", items: ["a", "b"], concurrency: 2, steps };
  const ended = await run([each], null, "{% steps.each.name %}");
  expect(ended.result.output).toEqual(["a1.txt", "b1.txt"]);
});

test("attempts a failed loop again as a whole", async () => {
  const { run, connect } = await createStarter(api);
  const { call, paths } = await startCalledPeer(connect, (path) =>
    path === "/1" && paths().length === 2 ? { status: 503 } : undefined,
  );
  const retry = { maxAttempts: 2, backoffSeconds: 0, factor: 1 };
  await run([loop("{% index < 2 %}", [call("call", "/{% index %}")], { retry })]);
  expect(paths()).toEqual(["/0", "/1", "/0", "/1"]);
});
