import { type JobHelpers, parseCrontab } from "graphile-worker";
import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { makeSchedule, makeTasks } from "./tasks.ts";

const api = await startApi();

test("schedules tasks that there are, and each does its work", async () => {
  const tasks = makeTasks(api.platform);
  const scheduled = parseCrontab(makeSchedule()).map(({ task }) => task);
  expect(Object.keys(tasks)).toEqual(expect.arrayContaining(scheduled));
  await api.createRootKey();
  for (const name of scheduled) await tasks[name]?.({}, {} as JobHelpers);
});
