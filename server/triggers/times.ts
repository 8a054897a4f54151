import { Cron } from "croner";
import type { Schedule } from "#db/schema/triggers.ts";
import type { Issue } from "#server/operation/errors.ts";
import type { SentSource } from "./source/schema.ts";

/** A schedule, if there is one, with the start of the first interval of `everySeconds`. */
export interface Timed {
  schedule: Schedule | null;
  anchorAt: Date;
}

const lineOf = (cron: string, timezone: string) => new Cron(cron, { timezone, mode: "5-part" });

/** Returns the schedule as stored; null if events start the runs. */
export function scheduleOf({ cron, timezone = "UTC", everySeconds, at }: SentSource): Schedule | null {
  if (cron !== undefined) return { cron, timezone };
  if (everySeconds !== undefined) return { everySeconds };
  return at === undefined ? null : { at };
}

/** Returns faults of a schedule beyond its form. */
export function faultsOfSchedule({ cron, timezone = "UTC" }: SentSource, path: string): Issue[] {
  if (cron === undefined) return [];
  try {
    new Intl.DateTimeFormat("en", { timeZone: timezone });
  } catch {
    return [
      {
        path: `${path}.timezone`,
        message: `Unknown time zone ${JSON.stringify(timezone)}. Name one like Europe/Berlin.`,
      },
    ];
  }
  try {
    if (lineOf(cron, timezone).nextRun()) return [];
    return [{ path: `${path}.cron`, message: "No date matches it. Change its day or month." }];
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^\w+: /, "") : String(error);
    return [{ path: `${path}.cron`, message: `Not a crontab line of five fields: ${reason}` }];
  }
}

/** Returns the function that finds the first time of a schedule after a moment, or null. */
function finderOf({ schedule, anchorAt }: Timed): (moment: Date) => Date | null {
  if (!schedule) return () => null;
  if ("cron" in schedule) {
    const line = lineOf(schedule.cron, schedule.timezone);
    return (moment) => line.nextRun(moment);
  }
  if ("at" in schedule) {
    const at = new Date(schedule.at);
    return (moment) => (at > moment ? at : null);
  }
  const step = schedule.everySeconds * 1000;
  return (moment) => {
    const passed = Math.floor((moment.getTime() - anchorAt.getTime()) / step);
    return new Date(anchorAt.getTime() + (Math.max(passed, 0) + 1) * step);
  };
}

/** Returns the first time of a schedule after a moment; null if none follows. */
export function timeAfter(timed: Timed, moment: Date): Date | null {
  return finderOf(timed)(moment);
}

const NEVER = new Date(8.64e15);

/** Returns the times of a schedule within (after, until], at most this many. */
export function timesBetween(timed: Timed, after: Date, until: Date, most: number): Date[] {
  const find = finderOf(timed);
  const times: Date[] = [];
  let time = find(after);
  while (time && time <= until && times.length < most) {
    times.push(time);
    time = find(time);
  }
  return times;
}

/** Returns the next times of a schedule after a moment. */
export function nextTimes(timed: Timed, after: Date, most: number): Date[] {
  return timesBetween(timed, after, NEVER, most);
}
