import type { TaskList } from "graphile-worker";
import { releaseExpiredHolds } from "../credits/release-expired-holds.ts";
import { sweepSignIns } from "../members/sweep-sign-ins.ts";
import type { Platform } from "../platform.ts";

/** What the worker does, by the names under which jobs are added. */
export function makeTasks({ database }: Platform): TaskList {
  return {
    sweepSignIns: () => sweepSignIns(database.db),
    releaseExpiredHolds: async () => void (await releaseExpiredHolds(database.db)),
  };
}

/** When it does what by itself: lines of a crontab, in UTC. */
export function makeSchedule(): string {
  return ["17 3 * * * sweepSignIns", "* * * * * releaseExpiredHolds"].join("\n");
}
