import { afterAll, expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { decide } from "#server/testing/approvals.ts";
import { startCalledPeer } from "#server/testing/called-peer.ts";
import { runWith, startRuns } from "#server/testing/runs.ts";
import { sent, waitsOf } from "#server/testing/sent-events.ts";
import { startStored, storeWorkflow } from "#server/testing/stored-workflows.ts";
import { createStarter } from "#server/testing/workflows.ts";

const api = await startApi();
const worker = await startRuns(api, { slots: 8, perAccount: 8 });
afterAll(() => worker.stop());

const parallel = (branches: Record<string, unknown[]>, more: object = {}) => ({
  id: "both",
  type: "parallel",
  branches: Object.entries(branches).map(([id, steps]) => ({ id, steps })),
  ...more,
});
const wait = (id: string, seconds: number) => ({ id, type: "wait", seconds });

interface Entry {
  type: string;
  step: string | null;
  data: { status?: string } | null;
}

const statusesOf = ({ timeline }: { timeline: Entry[] }, path: string) =>
  timeline.filter(({ type, step }) => type === "step" && step === path).map(({ data }) => data?.status);

test("runs branches concurrently, and returns each one's output", async () => {
  const { run, connect } = await createStarter(api);
  const all = Promise.withResolvers<void>();
  const { call, paths } = await startCalledPeer(connect, async (path) => {
    if (paths().length === 2) all.resolve();
    await all.promise;
    return { body: { path } };
  });
  const branches = { card: [call("charge")], stock: [call("reserve"), wait("rest", 0), call("pack")] };
  const ended = await run([parallel(branches)], null, {
    card: "{% steps.both.card.body.path %}",
    stock: "{% steps.both.stock.body.path %}",
    inner: "{% steps.reserve.body.path %}",
  });
  expect(ended.result.output).toEqual({ card: "/charge", stock: "/pack", inner: "/reserve" });
  expect(statusesOf(ended, "steps.both[stock].reserve")).toEqual(["sent", "succeeded"]);
});

test("runs as many branches at a time as it says, in their order", async () => {
  const { run, connect } = await createStarter(api);
  const { call, paths } = await startCalledPeer(connect);
  const branches = { a: [call("a1"), wait("pause", 0.05), call("a2")], b: [call("b1")], c: [call("c1")] };
  await run([parallel(branches, { concurrency: 1 })]);
  expect(paths()).toEqual(["/a1", "/a2", "/b1", "/c1"]);
});

test("fails with the first failing branch, awaits requests that others have sent, and starts nothing more in them", async () => {
  const { fail, connect, get } = await createStarter(api);
  /** Waits until the failure is stored. */
  const failed = () =>
    expect
      .poll(async () => statusesOf((await get("/v1/runs")).body.runs[0], "steps.both[bad].fail"))
      .toContain("failed");
  const { call, paths } = await startCalledPeer(connect, async (path) => {
    if (path === "/slow") await failed();
    return path === "/fail" ? { status: 500 } : { body: { path } };
  });
  const branches = { good: [call("slow"), call("never")], bad: [call("fail"), call("neither")] };
  const ended = await fail([parallel(branches)]);
  expect(ended.error).toMatchObject({ code: "service_failed", step: "steps.both[bad].fail" });
  expect(paths().sort()).toEqual(["/fail", "/slow"]);
  expect(statusesOf(ended, "steps.both[good].slow")).toEqual(["sent", "succeeded"]);
  expect(ended.timeline.at(-1).data.finishedSteps).toContain("steps.both[good].slow");
});

test("waits for an event, an approval and a run at the same time", async () => {
  const { key, root, approver, start, get } = await createStarter(api);
  await storeWorkflow(api, key, "below", [wait("pause", 0.05)]);
  const branches = {
    event: [{ id: "paid", type: "await", events: [{ name: "order.paid" }], timeoutSeconds: 600 }],
    person: [{ id: "ask", type: "approval", summary: "Pay?" }],
    run: [{ id: "child", type: "run", name: "below" }],
  };
  const id = await start({ name: "Waits", steps: [parallel(branches)] });
  await waitsOf(api, root, id);
  await sent(api, key, { name: "order.paid", data: 7 });
  await runWith(api, root, id, "awaiting_approval");
  const [approval] = (await get("/v1/approvals?status=pending")).body.approvals;
  await decide(api, approver, approval);
  const ended = await runWith(api, root, id, "succeeded");
  expect(ended.result.output).toMatchObject({
    event: { event: { data: 7 } },
    person: { id: approval.id },
    run: null,
  });
});

test("ends the waits of other branches when a failure is caught, and continues", async () => {
  const { key, root, get, connect } = await createStarter(api);
  const { call } = await startCalledPeer(connect);
  await storeWorkflow(api, root, "below", [wait("week", 604_800)]);
  const branches = {
    event: [{ id: "paid", type: "await", events: [{ name: "order.paid" }], timeoutSeconds: 604_800 }],
    person: [{ id: "ask", type: "approval", summary: "Pay?" }],
    run: [{ id: "child", type: "run", name: "below" }],
    time: [wait("week", 604_800)],
    trigger: [
      { id: "begin", type: "await", events: [{ name: "begin" }], timeoutSeconds: 604_800 },
      call("fail"),
    ],
  };
  await storeWorkflow(api, root, "above", [
    { id: "safe", type: "try", steps: [parallel(branches)], catch: { steps: [call("undo")] } },
    wait("after", 0.05),
    call("end"),
  ]);
  const { run } = (await startStored(api, root, { name: "above" })).body;
  await runWith(api, root, run.id, "awaiting_approval");
  await expect.poll(async () => (await get(`/v1/runs?parentId=${run.id}`)).body.runs.length).toBe(1);
  await sent(api, root, { name: "begin" });
  const ended = await runWith(api, root, run.id, "succeeded");
  expect(ended.result.output.body).toEqual({ path: "/end" });
  for (const path of ["[event].paid", "[person].ask", "[run].child", "[time].week"])
    expect(statusesOf(ended, `steps.safe.both${path}`).slice(-2)).toEqual(["waiting", "cancelled"]);
  expect(ended.waitsFor).toEqual([]);
  expect((await get("/v1/approvals?status=pending")).body.approvals).toEqual([]);
  expect(await sent(api, key, { name: "order.paid" })).toMatchObject({ resumed: 0 });
  const [below] = (await get(`/v1/runs?parentId=${run.id}`)).body.runs;
  await runWith(api, root, below.id, "cancelled");
});
