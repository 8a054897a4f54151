import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { keptBytesFaults } from "#server/testing/kept-bytes.ts";
import { startPeer } from "#server/testing/peer.ts";
import { runWith, startRuns, startWorkerProcess } from "#server/testing/runs.ts";
import { createStarter } from "#server/testing/workflows.ts";

const folder = mkdtempSync(join(tmpdir(), "kept-killed-blobs-"));
const api = await startApi({ settings: { blobs: { folder } } });
const workers: ChildProcess[] = [];

/** The requests at which a worker is killed, while other steps' outputs are being stored. */
const DEADLY = [5, 14, 23];
let requests = 0;
const peer = await startPeer(() => {
  requests += 1;
  if (DEADLY.includes(requests)) workers.shift()?.kill("SIGKILL");
  return { body: { text: "x".repeat(60_000) } };
});

test("counts every byte that runs keep once, though workers are killed while they store them", async () => {
  const starter = await createStarter(api);
  const connectionId = await starter.connect(peer.host);
  const fetching = { id: "fetch", type: "http", connectionId, method: "GET", url: peer.origin };
  const retry = { maxAttempts: 5, backoffSeconds: 1, factor: 1, on: ["service_timeout"] };
  const each = {
    id: "each",
    type: "map",
    items: [0, 1, 2, 3, 4, 5],
    concurrency: 3,
    steps: [{ ...fetching, retry }],
  };
  const workflow = { name: "Fetch", steps: [each] };
  for (const _ of DEADLY) workers.push(await startWorkerProcess(api, folder, 4));
  const ended = Promise.all(workers.map((worker) => once(worker, "exit")));
  const ids = await Promise.all(Array.from({ length: 6 }, () => starter.start(workflow)));
  expect((await ended).map(([, signal]) => signal)).toEqual(DEADLY.map(() => "SIGKILL"));
  expect(await keptBytesFaults(api.platform.database.db)).toEqual([]);
  const worker = await startRuns(api);
  for (const id of ids)
    expect((await runWith(api, starter.root, id, "succeeded")).keptBytes).toBeGreaterThan(360_000);
  await worker.stop();
  expect(await keptBytesFaults(api.platform.database.db)).toEqual([]);
});
