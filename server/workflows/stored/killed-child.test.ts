import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { toUuid } from "#server/base/ids.ts";
import { startApi } from "#server/testing/api.ts";
import { startPeer } from "#server/testing/peer.ts";
import { runWith, startRuns, startWorkerProcess } from "#server/testing/runs.ts";
import { startStored, storeWorkflow } from "#server/testing/stored-workflows.ts";
import { createStarter } from "#server/testing/workflows.ts";

const api = await startApi();

test("ends once though its worker was killed in the middle of a step below", async () => {
  const { root, connect, get } = await createStarter(api);
  const inTheMiddle = Promise.withResolvers<void>();
  let hanging = true;
  const peer = await startPeer(({ path }) => {
    if (path !== "/second" || !hanging) return { body: { path } };
    hanging = false;
    inTheMiddle.resolve();
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
  await storeWorkflow(api, root, "below", [send("first", "POST"), send("second", "PUT")]);
  await storeWorkflow(api, root, "above", [
    { id: "below", type: "run", name: "below" },
    send("last", "POST"),
  ]);

  const child = await startWorkerProcess(api, tmpdir(), 8);
  const { run } = (await startStored(api, root, { name: "above" })).body;
  await inTheMiddle.promise;
  child.kill("SIGKILL");
  const worker = await startRuns(api);
  const ended = await runWith(api, root, run.id, "succeeded");
  await worker.stop();

  expect(ended.result).toMatchObject({ output: { status: 200, body: { path: "/last" } } });
  const { runs } = (await get(`/v1/runs?parentId=${run.id}`)).body;
  expect(runs).toHaveLength(1);
  const ends = ({ timeline }: { timeline: { type: string; data: { status?: string } }[] }) =>
    timeline.filter(({ type, data }) => type === "state" && data.status === "succeeded").length;
  expect([ends(runs[0]), ends(ended)]).toEqual([1, 1]);
  const paths = peer.received.map(({ path }) => path).sort();
  expect(paths).toEqual(["/first", "/last", "/second", "/second"]);
  const second = peer.received.filter(({ path }) => path === "/second");
  expect(new Set(second.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
  expect((await get("/v1/credits/balance")).body.balance.reservedCredits).toBe(0);
});

test("starts one run for each that waits, though its worker was killed while they were started", async () => {
  const { root, get } = await createStarter(api);
  await storeWorkflow(api, root, "leaf", [{ id: "pause", type: "wait", seconds: 0 }]);
  await storeWorkflow(api, root, "tree", [{ id: "leaf", type: "run", name: "leaf" }]);
  const started = await Promise.all(
    Array.from({ length: 24 }, () => startStored(api, root, { name: "tree" })),
  );
  const trees = started.map(({ body }) => body.run.id);
  const parents = trees.map((id) => toUuid("run", id));

  const child = await startWorkerProcess(api, tmpdir(), 24);
  const { client } = api.platform.database;
  for (let begun = 0; begun < 3; )
    begun = (await client`select from runs where parent_id = any(${parents})`).length;
  child.kill("SIGKILL");
  const worker = await startRuns(api, { slots: 8, perAccount: 8 });
  for (const id of trees) await runWith(api, root, id, "succeeded");
  await worker.stop();
  const { runs } = (await get("/v1/runs?limit=100")).body;
  const waitedFor = runs.flatMap(({ parentId }: { parentId: string | null }) => parentId ?? []);
  expect(waitedFor.sort()).toEqual(trees.sort());
});
