import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { startReadyNode } from "#server/testing/children.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { createRun, runWith } from "#server/testing/runs.ts";

const api = await startApi();
const PRELOAD = new URL("../testing/torture/preload.ts", import.meta.url).href;

test("starts runs at their times at a worker whose clock is set back", async () => {
  const { key } = await createPayingKey(api, 100);
  const folder = mkdtempSync(join(tmpdir(), "clock-"));
  const clock = join(folder, "clock");
  writeFileSync(clock, "3600000");
  const worker = ["server/testing/processes/run-worker.ts", api.databaseUrl, folder];
  await startReadyNode(["--import", PRELOAD, ...worker], {
    env: { ...process.env, TORTURE_CLOCK: clock },
  });
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
  writeFileSync(clock, "0");
  const [soon, later] = await Promise.all([start(2), start(1800)]);
  const run = await runWith(api, key, soon.id, "succeeded");
  expect(Date.parse(run.startedAt)).toBeLessThan(Date.parse(later.startsAt));
});
