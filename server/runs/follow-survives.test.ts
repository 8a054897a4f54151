import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { freePort } from "#server/boot/processes.ts";
import { startApi } from "#server/testing/api.ts";
import { startTestCluster } from "#server/testing/cluster.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { createEffects, endWait, play, startRuns } from "#server/testing/runs.ts";
import { scriptedService } from "#server/testing/scripted-runs.ts";
import { startServer } from "#server/testing/server-process.ts";
import { openStream } from "#server/testing/streams.ts";
import { Platform } from "../../clients/typescript/src/index.ts";

const folder = mkdtempSync(join(tmpdir(), "follow-survives-"));
const cluster = await startTestCluster();
const api = await startApi({
  database: cluster,
  settings: { blobs: { folder }, services: [scriptedService()] },
});
await createEffects(api);
const worker = await startRuns(api);
afterAll(async () => {
  await worker.stop();
  rmSync(folder, { recursive: true, force: true });
});

const serve = (port: number) => startServer(cluster.url, folder, "--port", String(port));
const stages = (count: number) =>
  Array.from({ length: count }, (_, nth) => [
    { do: "log", message: `stage ${nth}` },
    { do: "wait", name: `pause-${nth}`, seconds: 3600 },
  ]).flat();

/** Ends a wait while the database may be unavailable: an attempt may have ended it although its response was lost. */
const endWaitOverRestart = (runId: string, name: string) =>
  vi.waitFor(() => endWait(api, runId, name), { timeout: 120_000 });

/** Follows a run with the SDK; `until` waits for a message of its timeline. */
function followBySdk(origin: string, key: string, runId: string) {
  const seen: { seq: number; message: string }[] = [];
  const platform = new Platform({ apiKey: key, baseUrl: origin });
  const entries = platform.runs.follow(runId);
  const ended = (async () => {
    for (;;) {
      const { done, value } = await entries.next();
      if (done) return value;
      seen.push(value);
    }
  })();
  const until = (message: string) => expect.poll(() => seen.map((entry) => entry.message)).toContain(message);
  return { seen, ended, until };
}

test("a follower loses nothing and gets nothing twice over kill -9, an orderly stop and a restart of the database", async () => {
  const { key } = await createPayingKey(api, 100);
  const port = await freePort();
  let server = await serve(port);
  const runId = await play(api, key, stages(4));
  const follower = followBySdk(server.origin, key, runId);
  const restart = async (signal: "SIGKILL" | "SIGTERM") => {
    const gone = once(server.child, "exit");
    server.child.kill(signal);
    await gone;
  };

  await follower.until("stage 0");
  await restart("SIGKILL");
  await endWait(api, runId, "pause-0");
  server = await serve(port);
  await follower.until("stage 1");

  await restart("SIGTERM");
  await endWait(api, runId, "pause-1");
  server = await serve(port);
  await follower.until("stage 2");

  cluster.kill("SIGQUIT");
  await endWaitOverRestart(runId, "pause-2");
  await follower.until("stage 3");
  await endWait(api, runId, "pause-3");

  const run = await follower.ended;
  expect(run.status).toBe("succeeded");
  expect(follower.seen).toEqual(run.timeline);
});

test("an open stream outlives a restart of the database, without reconnecting", async () => {
  const { key } = await createPayingKey(api, 100);
  const server = await serve(0);
  const runId = await play(api, key, stages(1));
  const stream = await openStream(`${server.origin}/v1/runs/${runId}/events`, { key });
  while ((await stream.next())?.data.message !== "stage 0");
  cluster.kill("SIGKILL");
  await endWaitOverRestart(runId, "pause-0");
  expect((await stream.take()).at(-1)).toMatchObject({
    event: "run",
    data: { run: { status: "succeeded" } },
  });
});

test("a process that stops ends its streams at once, and says when to come back", async () => {
  const { key } = await createPayingKey(api, 100);
  const server = await serve(0);
  const runId = await play(api, key, stages(1));
  const streams = await Promise.all(
    Array.from({ length: 10 }, () => openStream(`${server.origin}/v1/runs/${runId}/events`, { key })),
  );
  const gone = once(server.child, "exit");
  server.child.kill("SIGTERM");
  const waits = await Promise.all(
    streams.map(async (stream) => {
      const blocks: string[] = [];
      for (let block = await stream.nextBlock(); block !== null; block = await stream.nextBlock())
        blocks.push(block);
      return Number(/^retry: (\d+)$/.exec(blocks.at(-1) ?? "")?.[1]);
    }),
  );
  expect((await gone)[0]).toBe(0);
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(500);
  expect(new Set(waits).size).toBeGreaterThan(5);
});
