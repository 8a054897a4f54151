import { afterAll, expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { decide } from "#server/testing/approvals.ts";
import { startCalledPeer } from "#server/testing/called-peer.ts";
import { runWith, startRuns } from "#server/testing/runs.ts";
import { createStarter } from "#server/testing/workflows.ts";

const api = await startApi();
const worker = await startRuns(api, { slots: 8, perAccount: 8 });
afterAll(() => worker.stop());

const attempt = (steps: unknown[], more: object) => ({ id: "safe", type: "try", steps, ...more });
const wait = (id: string, seconds: number, more: object = {}) => ({ id, type: "wait", seconds, ...more });

async function begin(behave?: Parameters<typeof startCalledPeer>[1]) {
  const starter = await createStarter(api);
  return { ...starter, ...(await startCalledPeer(starter.connect, behave)) };
}

test("catches its steps' failure, and returns the output of the last step of catch", async () => {
  const { run, call, paths } = await begin();
  const undo = call("undo", "/undo/{% error.code %}/{% error.step %}/{% steps.charge.body.path %}");
  const steps = [call("charge"), call("fail"), call("never")];
  const ended = await run([attempt(steps, { catch: { steps: [undo] } })], null, {
    out: "{% steps.safe.body.path %}",
    inner: "{% steps.undo.status %}",
  });
  const path = "/undo/service_failed/steps.safe.fail//charge";
  expect(ended.result.output).toEqual({ out: path, inner: 200 });
  expect(paths()).toEqual(["/charge", "/fail", path]);
  expect(ended.timeline).toContainEqual(
    expect.objectContaining({
      type: "log",
      step: "steps.safe",
      data: { code: "service_failed", failedStep: "steps.safe.fail" },
    }),
  );
});

test("returns its steps' output if none fails, and runs finally after them", async () => {
  const { run, call, paths } = await begin();
  const parts = { catch: { steps: [call("undo")] }, finally: [call("unlock")] };
  const ended = await run([attempt([call("work")], parts)]);
  expect(ended.result.output.body).toEqual({ path: "/work" });
  expect(paths()).toEqual(["/work", "/unlock"]);
});

test.each([
  ["a code that catch does not list", { on: ["not_found"] }, "/undo", "steps.safe.fail", ["/fail"]],
  ["a failure of catch itself", {}, "/fail/undo", "steps.safe[catch].undo", ["/fail", "/fail/undo"]],
])("fails with %s, after finally", async (_, on, path, step, before) => {
  const { fail, call, paths } = await begin();
  const parts = { catch: { ...on, steps: [call("undo", path)] }, finally: [call("unlock")] };
  const ended = await fail([attempt([call("fail")], parts), call("never")]);
  expect(ended.error).toMatchObject({ code: "service_failed", step });
  expect(paths()).toEqual([...before, "/unlock"]);
});

test("passes a failure that its catch does not match to the next one around it", async () => {
  const { run, call, paths } = await begin();
  const inner = {
    ...attempt([call("fail")], { catch: { on: ["not_found"], steps: [call("a")] } }),
    id: "in",
  };
  const ended = await run([attempt([inner], { catch: { on: ["service_failed"], steps: [call("b")] } })]);
  expect(ended.result.output.body).toEqual({ path: "/b" });
  expect(paths()).toEqual(["/fail", "/b"]);
});

test("fails with the failure of finally", async () => {
  const { fail, call } = await begin();
  const parts = { finally: [call("last", "/fail/last")] };
  const ended = await fail([attempt([call("fail")], parts)]);
  expect(ended.error).toMatchObject({ code: "service_failed", step: "steps.safe[finally].last" });
});

test("catches the unknown end of a request as service_timeout, and repeats it no more", async () => {
  const { run, call, paths } = await begin((path) => (path === "/hang" ? "hang" : undefined));
  const steps = [call("hang", "/hang", { timeoutSeconds: 1 })];
  const undo = call("undo", "/undo/{% error.code %}");
  const ended = await run([attempt(steps, { catch: { on: ["service_timeout"], steps: [undo] } })]);
  expect(ended.result.output.body).toEqual({ path: "/undo/service_timeout" });
  const unknown = ended.timeline.filter(({ step }: { step: string }) => step === "steps.safe.hang");
  expect(unknown.at(-1).data).toMatchObject({ status: "unknown", code: "service_timeout" });
  expect(paths()).toEqual(["/hang", "/undo/service_timeout"]);
});

test("catches the rejection of an approval, and returns the output of catch", async () => {
  const { root, approver, start, get, call } = await begin();
  const ask = { id: "ask", type: "approval", summary: "Go on?" };
  const parts = { catch: { on: ["approval_rejected"], steps: [call("undo")] } };
  const id = await start({ name: "Test", steps: [attempt([ask], parts)] });
  await runWith(api, root, id, "awaiting_approval");
  const [approval] = (await get("/v1/approvals?status=pending")).body.approvals;
  await decide(api, approver, approval, { decision: "reject", reason: "No." });
  const ended = await runWith(api, root, id, "succeeded");
  expect(ended.result.output.body).toEqual({ path: "/undo" });
});

test("limits only its steps by its timeout, and gives finally a minute after an outer timeout", async () => {
  const { run, fail, call, paths } = await begin();
  const parts = { catch: { steps: [wait("b", 0.2), call("undo")] }, timeoutSeconds: 0.1 };
  const ended = await run([attempt([wait("a", 60)], parts)]);
  expect(ended.result.output.body).toEqual({ path: "/undo" });
  const inner = attempt([wait("a", 60)], { finally: [wait("b", 0.1), call("unlock")] });
  const around = { id: "check", type: "branch", cases: [{ when: true, steps: [inner] }] };
  const late = await fail([{ ...around, timeoutSeconds: 0.1 }]);
  expect(late.error).toMatchObject({ code: "service_timeout", step: "steps.check.safe.a" });
  expect(paths()).toEqual(["/undo", "/unlock"]);
});

test("runs neither catch nor finally where the run is cancelled", async () => {
  const { root, start, get, call, paths } = await begin((path) => (path === "/hang" ? "hang" : undefined));
  const parts = { catch: { steps: [call("undo")] }, finally: [call("unlock")] };
  const working = await start({ name: "Test", steps: [attempt([call("hang")], parts)] });
  const waiting = await start({ name: "Test", steps: [attempt([wait("week", 604_800)], parts)] });
  await expect.poll(paths).toEqual(["/hang"]);
  const waits = async () => (await get(`/v1/runs/${waiting}`)).body.run.timeline.at(-1).data?.status;
  await expect.poll(waits).toBe("waiting");
  for (const id of [working, waiting]) {
    await api.send("POST", `/v1/runs/${id}/cancel`, { key: root, body: {} });
    const ended = await runWith(api, root, id, "cancelled");
    expect(ended.error).toMatchObject({ code: "cancelled" });
  }
  expect(paths()).toEqual(["/hang"]);
});

test("attempts the whole again, each attempt with its own catch and finally", async () => {
  const { run, call, paths } = await begin((path) =>
    path === "/undo" && paths().length === 2 ? { status: 503 } : undefined,
  );
  const parts = { catch: { steps: [call("undo")] }, finally: [call("unlock")] };
  const retry = { maxAttempts: 2, backoffSeconds: 0.05, factor: 1 };
  const ended = await run([{ ...attempt([call("fail")], parts), retry }]);
  expect(ended.result.output.body).toEqual({ path: "/undo" });
  expect(paths()).toEqual(["/fail", "/undo", "/unlock", "/fail", "/undo", "/unlock"]);
});

test("runs finally once, however many attempts the run has", async () => {
  const { root, start, call, paths } = await begin();
  const steps = [attempt([call("fail")], { finally: [call("unlock")] })];
  const id = await start({ name: "Test", steps }, null, { maxAttempts: 3 });
  const ended = await runWith(api, root, id, "failed");
  expect(ended).toMatchObject({ attempt: 1, error: { code: "service_failed", step: "steps.safe.fail" } });
  expect(paths()).toEqual(["/fail", "/unlock"]);
});
