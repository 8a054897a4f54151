import { afterAll, expect, test } from "vitest";
import { keysOf } from "#server/base/keys-of.ts";
import { startApi } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { connectMcp, GENERATIONS } from "#server/testing/mcp-client.ts";
import { createEffects, endWait, play, startRuns } from "#server/testing/runs.ts";
import { scriptedService } from "#server/testing/scripted-runs.ts";

const api = await startApi({ settings: { services: [scriptedService()], streams: { perAccount: 3 } } });
await createEffects(api);
const worker = await startRuns(api);
afterAll(() => worker.stop());

const pause = { do: "wait", name: "pause", seconds: 3600 };
const log = (message: string) => ({ do: "log", message });
const read = (key: string, runId: string, waitSeconds: number | string) =>
  api.send("GET", `/v1/runs/${runId}?waitSeconds=${waitSeconds}`, { key });
const waiting = async (calls: number) => expect.poll(() => api.platform.streams.open).toBe(calls);

test("answers when the run ends, and not before", async () => {
  const { key } = await createPayingKey(api, 100);
  const runId = await play(api, key, [pause, log("after")]);
  const answer = read(key, runId, 50);
  await waiting(1);
  await endWait(api, runId, "pause");
  expect((await answer).body.run).toMatchObject({ status: "succeeded", timeline: expect.any(Array) });
  expect((await read(key, runId, 50)).body.run.status).toBe("succeeded");
});

test("returns the run as it is when the time has passed, or when none is given", async () => {
  const { key } = await createPayingKey(api, 100);
  const runId = await play(api, key, [pause]);
  const answers = await Promise.all([read(key, runId, 1), read(key, runId, 0)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  for (const { body } of answers) expect(["queued", "running"]).toContain(body.run.status);
});

test.each(["51", "-1", "1.5", "soon", ""])("refuses to wait %j seconds", async (seconds) => {
  const { key } = await createPayingKey(api, 100);
  const answer = await read(key, await play(api, key, []), seconds);
  expect(answer.body.error).toMatchObject({ status: 400, issues: [{ path: "query.waitSeconds" }] });
});

test("refuses a caller whose key was revoked meanwhile", async () => {
  const { key } = await createPayingKey(api, 100);
  const child = await api.createChild(key);
  const runId = await play(api, key, [pause]);
  const answer = read(child.key, runId, 50);
  await waiting(1);
  await api.send("DELETE", `/v1/api-keys/${child.apiKey.id}`, { key });
  await endWait(api, runId, "pause");
  expect((await answer).body.error).toMatchObject({ status: 401, code: "api_key_revoked" });
});

test("lets an account wait for as many calls as it may, and gives each place back", async () => {
  const { key } = await createPayingKey(api, 100);
  const runId = await play(api, key, [pause]);
  const answers = Array.from({ length: 3 }, () => read(key, runId, 50));
  await waiting(3);
  expect((await read(key, runId, 50)).body.error).toMatchObject({ status: 429, code: "limit_exhausted" });
  expect((await read(key, runId, 0)).status).toBe(200);
  await endWait(api, runId, "pause");
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200]);
  await waiting(0);
});

test.for(keysOf(GENERATIONS))(
  "a waiting tool reports its progress to an MCP client of %s",
  async (generation) => {
    const { key } = await createPayingKey(api, 100);
    const { client } = await connectMcp(api.origin, key, generation);
    const runId = await play(api, key, [pause, log("begun"), { ...pause, name: "second" }, log("done")]);
    const reports: { progress: number; message?: string | undefined }[] = [];
    const answer = client.callTool(
      { name: "runs_read", arguments: { runId, waitSeconds: 50 } },
      { onprogress: ({ progress, message }) => reports.push({ progress, message }) },
    );
    await endWait(api, runId, "pause");
    await expect.poll(() => reports.length).toBeGreaterThan(0);
    await endWait(api, runId, "second");
    const { structuredContent } = await answer;
    expect(structuredContent).toMatchObject({ run: { id: runId, status: "succeeded" } });
    const steps = reports.map(({ progress }) => progress);
    expect(steps).toEqual([...new Set(steps)].sort((a, b) => a - b));
    const { timeline } = (structuredContent as { run: { timeline: { seq: number; message: string }[] } }).run;
    for (const { progress, message } of reports) expect(timeline[progress - 1]?.message).toBe(message);
  },
);
