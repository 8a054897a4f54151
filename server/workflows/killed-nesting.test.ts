import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { startCalledPeer } from "#server/testing/called-peer.ts";
import { runWith, startRuns, startWorkerProcess } from "#server/testing/runs.ts";
import { createStarter } from "#server/testing/workflows.ts";

const api = await startApi();

test("continues in branches, catch, finally and a loop after its worker was killed there; nothing is executed twice", async () => {
  const { root, start, connect } = await createStarter(api);
  const inTheMiddle = Promise.withResolvers<void>();
  const hanging = new Set(["/put/parallel", "/put/catch", "/put/finally", "/put/loop/2"]);
  const { call, paths } = await startCalledPeer(connect, (path) => {
    if (!hanging.delete(path)) return undefined;
    if (hanging.size === 0) inTheMiddle.resolve();
    return "hang";
  });
  const put = (id: string, path: string) => call(id, `/put${path}`, { method: "PUT" });
  const branches = [
    { id: "left", steps: [call("a", "/parallel/a"), put("b", "/parallel"), call("c", "/parallel/c")] },
    { id: "right", steps: [call("d", "/parallel/d")] },
  ];
  const caught = { steps: [call("b", "/catch/b"), put("c", "/catch"), call("d", "/catch/{% error.code %}")] };
  const last = [call("b", "/finally/b"), put("c", "/finally"), call("d", "/finally/d")];
  const failing = (name: string) => [call("done", `/${name}/done`), call("a", `/fail/${name}`)];
  const again = [call("a", "/loop/{% index %}"), put("b", "/loop/{% index %}")];
  const all = [
    { id: "step", type: "parallel", branches },
    { id: "step", type: "try", steps: failing("catch"), catch: caught },
    { id: "step", type: "try", steps: failing("finally"), finally: last },
    { id: "step", type: "while", when: "{% index < 4 %}", maxIterations: 4, steps: again },
  ];
  const child = await startWorkerProcess(api, tmpdir(), 8);
  const ids = await Promise.all(all.map((step) => start({ name: "Killed", steps: [step] })));
  await inTheMiddle.promise;
  child.kill("SIGKILL");

  const worker = await startRuns(api, { slots: 8, perAccount: 8 });
  const [parallel, caughtOne, finallyOne, loop] = ids as [string, string, string, string];
  const output = async (id: string) => (await runWith(api, root, id, "succeeded")).result.output;
  expect(await output(parallel)).toMatchObject({
    left: { body: { path: "/parallel/c" } },
    right: { body: { path: "/parallel/d" } },
  });
  expect(await output(caughtOne)).toMatchObject({ body: { path: "/catch/service_failed" } });
  const failed = await runWith(api, root, finallyOne, "failed");
  expect(failed.error).toMatchObject({ code: "service_failed", step: "steps.step.a" });
  expect(await output(loop)).toMatchObject({ body: { path: "/put/loop/3" } });
  await worker.stop();
  const once = ["/parallel/a", "/parallel/c", "/parallel/d", "/fail/catch", "/fail/finally"];
  const twice = ["/put/parallel", "/put/catch", "/put/finally", "/put/loop/2"];
  const blocks = ["catch", "finally"].flatMap((name) => [`/${name}/done`, `/${name}/b`]);
  const loops = [0, 1, 2, 3].map((index) => `/loop/${index}`);
  const puts = [0, 1, 3].map((index) => `/put/loop/${index}`);
  const ends = ["/catch/service_failed", "/finally/d"];
  expect(paths().sort()).toEqual([...once, ...twice, ...twice, ...blocks, ...loops, ...puts, ...ends].sort());
});
