import { tmpdir } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { startApi } from "#server/testing/api.ts";
import { startPeer } from "#server/testing/peer.ts";
import { runWith, startRuns, startWorkerProcess } from "#server/testing/runs.ts";
import { createStarter } from "#server/testing/workflows.ts";
import { childrenOf } from "./cpu-time.ts";

const api = await startApi();

test("continues after its worker was killed during a request, without repeating completed steps", async () => {
  const { root, start, connect, get } = await createStarter(api);
  const inTheMiddle = Promise.withResolvers<void>();
  let hanging = 0;
  const peer = await startPeer(({ path }) => {
    if (path === "/first" || hanging >= 2) return { body: { path } };
    hanging += 1;
    if (hanging === 2) inTheMiddle.resolve();
    return "hang";
  });
  const connectionId = await connect(peer.host);
  const send = (id: string, method: string) => ({
    id,
    type: "http",
    connectionId,
    method,
    url: `${peer.origin}/${id}`,
    timeoutSeconds: 300,
  });
  const keep = { serviceId: "managed-memory", operationId: "put", input: { content: "Once" } };
  const before = [send("first", "POST"), { id: "keep", type: "invoke", ...keep }];
  const child = await startWorkerProcess(api, tmpdir(), 8);
  const repeatable = await start({ name: "Put", steps: [...before, send("second", "PUT")] });
  const unknown = await start({ name: "Post", steps: [...before, send("third", "POST")] });
  await inTheMiddle.promise;
  child.kill("SIGKILL");

  const worker = await startRuns(api);
  const put = await runWith(api, root, repeatable, "succeeded");
  const post = await runWith(api, root, unknown, "failed");
  await worker.stop();
  expect(put.result).toMatchObject({ output: { status: 200, body: { path: "/second" } } });
  expect(post.error).toMatchObject({ code: "service_timeout", step: "steps.third" });
  const paths = peer.received.map(({ path }) => path).sort();
  expect(paths).toEqual(["/first", "/first", "/second", "/second", "/third"]);
  const second = peer.received.filter(({ path }) => path === "/second");
  expect(new Set(second.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
  const list = { operationId: "list", input: {} };
  const kept = await api.send("POST", "/v1/services/managed-memory/invoke", { key: root, body: list });
  expect(kept.body.result.memories).toHaveLength(2);
  expect((await get("/v1/runs?status=running")).body.runs).toEqual([]);
});

/** The run rests longer after each of them. */
const KILLS = 3;

test.runIf(process.platform === "linux")(
  "continues once the processes that evaluate its expressions are no longer killed, without a failed step",
  async () => {
    const { root, start } = await createStarter(api);
    const child = await startWorkerProcess(api, tmpdir(), 8);
    onTestFinished(() => void child.kill("SIGKILL"));
    const keep = { id: "keep", type: "invoke", serviceId: "managed-memory", operationId: "put" };
    const id = await start(
      { name: "Sum", steps: [{ ...keep, input: { content: "{% input.a & '!' %}" } }] },
      { a: "Once" },
    );
    for (let killed = 0; killed < KILLS; await sleep(5)) {
      for (const pid of childrenOf(defined(child.pid)).flatMap(childrenOf)) {
        process.kill(pid, "SIGKILL");
        killed += 1;
      }
    }
    const run = await runWith(api, root, id, "succeeded");
    expect(run.timeline.map(({ type }: { type: string }) => type)).not.toContain("failed");
    expect(run.result.output.memory.content).toBe("Once!");
  },
);
