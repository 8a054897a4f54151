import type { TaskList } from "graphile-worker";
import type { Platform } from "../platform.ts";

/** What the worker does, by the names under which jobs are added. */
export function makeTasks(_platform: Platform): TaskList {
  return {};
}

/** When it does what by itself: lines of a crontab, in UTC. */
export function makeSchedule(): string {
  return [].join("\n");
}
