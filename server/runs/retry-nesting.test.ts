import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { startCalledPeer } from "#server/testing/called-peer.ts";
import { runWith, startRuns } from "#server/testing/runs.ts";
import { createStarter } from "#server/testing/workflows.ts";

const api = await startApi();
const worker = await startRuns(api, { slots: 8, perAccount: 8 });
afterAll(() => worker.stop());

const flow = (...steps: unknown[]) => ({ name: "Retried", steps });

async function begin() {
  const starter = await createStarter(api);
  const peer = await startCalledPeer(starter.connect);
  const { root } = starter;

  /** Retries a failed run from a step of this workflow; returns the paths that the retry calls. */
  async function retry(id: string, fromStep: string, workflow?: unknown) {
    await runWith(api, root, id, "failed");
    const before = peer.paths().length;
    const body = { fromStep, ...(workflow !== undefined && { workflow }) };
    const answer = await api.send("POST", `/v1/runs/${id}/retry`, { key: root, body });
    if (answer.status !== 202) return answer.body.error.issues;
    const ended = await runWith(api, root, answer.body.run.id, "succeeded");
    return { ended, called: peer.paths().slice(before) };
  }
  return { ...starter, ...peer, retry };
}

test("continues in a catch from its failed step, and keeps the failure", async () => {
  const { start, call, retry } = await begin();
  const order = (undo: string) =>
    flow({
      id: "order",
      type: "try",
      steps: [call("charge"), call("fail")],
      catch: { steps: [call("note"), call("undo", `${undo}/{% error.step %}`)] },
      finally: [call("unlock")],
    });
  const id = await start(order("/fail"));
  const { called, ended } = await retry(id, "steps.order[catch].undo", order("/undo"));
  expect(called).toEqual(["/undo/steps.order.fail", "/unlock"]);
  expect(ended.result.output.body).toEqual({ path: "/undo/steps.order.fail" });
});

test("gives a block its whole time again when it retries a step in it", async () => {
  const { start, call, retry } = await begin();
  const within = (path: string) =>
    flow({
      id: "each",
      type: "map",
      items: ["one"],
      concurrency: 1,
      timeoutSeconds: 2,
      steps: [call("first"), call("second", path)],
    });
  const id = await start(within("/fail"));
  await sleep(2000);
  const { called } = await retry(id, "steps.each[0].second", within("/mended"));
  expect(called).toEqual(["/mended"]);
});

test("drops the steps that handled a failure when it retries the failed step", async () => {
  const { start, call, retry } = await begin();
  const order = (reserve: string) =>
    flow(
      {
        id: "order",
        type: "try",
        steps: [call("charge"), call("reserve", reserve), call("pack")],
        catch: { steps: [call("undo")] },
      },
      call("end", reserve),
    );
  const id = await start(order("/fail"));
  const { called } = await retry(id, "steps.order.reserve", order("/reserve"));
  expect(called).toEqual(["/reserve", "/pack", "/reserve"]);
});

test("keeps the completed steps of other branches and iterations, and so refuses changes there", async () => {
  const { start, call, retry } = await begin();
  const both = (path: string, id = "good", branch = "left") =>
    flow({
      id: "both",
      type: "parallel",
      concurrency: 1,
      branches: [
        { id: branch, steps: [call(id)] },
        { id: "right", steps: [call("bad", path), call("after")] },
      ],
    });
  const first = await start(both("/fail"));
  const from = "steps.both[right].bad";
  expect(await retry(first, from, both("/mended", "other"))).toMatchObject([
    { path: "body.workflow.steps.0.branches.0.steps.0" },
  ]);
  expect(await retry(first, from, both("/mended", "good", "other"))).toMatchObject([
    { path: "body.workflow.steps.0.branches.0" },
  ]);
  expect((await retry(first, from, both("/mended"))).called).toEqual(["/mended", "/after"]);

  const loop = (path: string, ...more: unknown[]) =>
    flow({
      id: "loop",
      type: "while",
      when: "{% index < 3 %}",
      maxIterations: 3,
      steps: [call("count", `${path}{% index %}`), ...more],
    });
  const second = await start(loop("{% index = 1 ? '/fail' : '/count' %}/"));
  expect(await retry(second, "steps.loop[1].count", loop("/count/", call("more")))).toMatchObject([
    { path: "body.workflow.steps.0.steps.1" },
  ]);
  const { called } = await retry(second, "steps.loop[1].count", loop("/count/"));
  expect(called).toEqual(["/count/1", "/count/2"]);
});
