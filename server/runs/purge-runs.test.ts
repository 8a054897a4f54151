import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { startPeer } from "#server/testing/peer.ts";
import { play, runWith, startRuns } from "#server/testing/runs.ts";
import { scriptedService } from "#server/testing/scripted-runs.ts";
import { dropOldRuns } from "./purge-runs.ts";

const api = await startApi({ settings: { services: [scriptedService()] } });
const { db } = api.platform.database;
const { key } = await createPayingKey(api, 1000);

/** Every month up to the next one counts as old. */
const NEXT_MONTH = -2;

test("drops a month of runs once the last of them has ended, with journals and timelines", async () => {
  const paths: string[] = [];
  const peer = await startPeer(({ path }) => {
    paths.push(path);
    return { body: {} };
  });
  const send = (name: string) => ({ do: "send", name, url: `${peer.origin}/${name}`, repeatable: false });
  const actions = [send("first"), { do: "wait", name: "pause", seconds: 4 }, send("second")];
  const worker = await startRuns(api);
  const id = await play(api, key, actions);
  await expect.poll(() => paths).toEqual(["/first"]);
  await dropOldRuns(db, NEXT_MONTH);
  const ended = await runWith(api, key, id, "succeeded");
  expect(paths).toEqual(["/first", "/second"]);
  expect(ended.timeline[0].seq).toBe(1);

  await worker.stop();
  await dropOldRuns(db, NEXT_MONTH);
  expect((await api.send("GET", `/v1/runs/${id}`, { key })).status).toBe(404);
});
