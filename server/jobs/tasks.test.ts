import { type JobHelpers, parseCrontab } from "graphile-worker";
import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { makeSchedule, makeTasks } from "./tasks.ts";

const api = await startApi();

test("schedules only tasks that exist, and each runs without an error", async () => {
  const tasks = makeTasks(api.platform);
  const scheduled = parseCrontab(makeSchedule()).map(({ task }) => task);
  expect(Object.keys(tasks)).toEqual(expect.arrayContaining(scheduled));
  await api.createRootKey();
  for (const name of scheduled) await tasks[name]?.({}, {} as JobHelpers);
});
