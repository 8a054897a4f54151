import { afterAll, expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { createEffects, endWait, play, startRuns } from "#server/testing/runs.ts";
import { scriptedService } from "#server/testing/scripted-runs.ts";
import { openStream, type Streamed } from "#server/testing/streams.ts";

const HOUR_MS = 3_600_000;
const api = await startApi({ settings: { services: [scriptedService()], streams: { pollMs: HOUR_MS } } });
await createEffects(api);
const worker = await startRuns(api);
afterAll(() => worker.stop());

test("sends committed entries although the stream never polls", async () => {
  const { key } = await createPayingKey(api, 100);
  const pause = { do: "wait", name: "pause", seconds: 3600 };
  const log = (message: string) => ({ do: "log", message });
  const runId = await play(api, key, [log("begin"), pause, log("after")]);
  const stream = await openStream(`${api.origin}/v1/runs/${runId}/events`, { key });
  const events: Streamed[] = [];
  while (events.at(-1)?.data.message !== "begin") events.push(...(await stream.take(1)));
  await endWait(api, runId, "pause");
  events.push(...(await stream.take()));
  expect(events.map(({ data }) => data.message)).toContain("after");
  expect(events.at(-1)).toMatchObject({ event: "run", data: { run: { status: "succeeded" } } });
});
