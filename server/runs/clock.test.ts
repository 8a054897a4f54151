import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { startReadyNode } from "#server/testing/children.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { createRun, runWith } from "#server/testing/runs.ts";
import { createStarter } from "#server/testing/workflows.ts";

const api = await startApi();
const PRELOAD = new URL("../testing/torture/preload.ts", import.meta.url).href;

const DAY_MS = 86_400_000;

/** Starts a worker whose clock is ahead by the milliseconds in a file; returns a function that changes them. */
async function startAhead(aheadMs: number) {
  const folder = mkdtempSync(join(tmpdir(), "clock-"));
  const clock = join(folder, "clock");
  const setAhead = (ms: number) => writeFileSync(clock, String(ms));
  setAhead(aheadMs);
  const worker = ["server/testing/processes/run-worker.ts", api.databaseUrl, folder];
  await startReadyNode(["--import", PRELOAD, ...worker], {
    env: { ...process.env, TORTURE_CLOCK: clock },
  });
  return setAhead;
}

test.each([
  ["ahead", 1000 * DAY_MS],
  ["behind", -1000 * DAY_MS],
])(
  "ends runs, steps and waits by the database's clock at a worker whose clock is years %s",
  async (_, ms) => {
    const { start, root } = await createStarter(api);
    const pause = { id: "pause", type: "wait", seconds: 2 };
    const bounded = {
      id: "bounded",
      type: "branch",
      cases: [{ when: true, steps: [pause] }],
      timeoutSeconds: 600,
    };
    await startAhead(ms);
    const run = await runWith(api, root, await start({ name: "Clock", steps: [bounded] }), "succeeded");
    expect(Date.parse(run.finishedAt) - Date.parse(run.startedAt)).toBeGreaterThanOrEqual(2000);
  },
);

test("starts runs at their times at a worker whose clock is set back", async () => {
  const { key } = await createPayingKey(api, 100);
  const setAhead = await startAhead(3_600_000);
  const start = async (seconds: number) => {
    const startAt = new Date(Date.now() + seconds * 1000).toISOString();
    const input = { content: `In ${seconds} seconds.` };
    const { body } = await createRun(api, key, {
      serviceId: "managed-memory",
      operationId: "put",
      input,
      startAt,
    });
    return body.run;
  };
  const first = await start(0);
  await runWith(api, key, first.id, "succeeded");
  setAhead(0);
  const [soon, later] = await Promise.all([start(2), start(1800)]);
  const run = await runWith(api, key, soon.id, "succeeded");
  expect(Date.parse(run.startedAt)).toBeLessThan(Date.parse(later.startsAt));
});
