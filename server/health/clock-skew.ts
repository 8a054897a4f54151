import type { ISql } from "postgres";
import { askClock } from "#server/base/ask-clock.ts";

/** The skew from which `/health` reports a process as degraded, in seconds. */
const DEGRADED_SECONDS = 1;
/** The largest skew with which a process starts, in seconds. */
const LARGEST_SECONDS = 30;

export interface ClockSkew {
  /** How many seconds this process's clock is ahead of the database's; negative if it is behind. */
  seconds: number;
  /** By how much `seconds` may be wrong: half of the time that the database took to answer. */
  within: number;
}

/** Compares this process's clock with the database's, in one round trip. */
export async function readClockSkew(sql: ISql): Promise<ClockSkew> {
  const sent = Date.now();
  const there = await askClock(sql);
  const received = Date.now();
  return { seconds: ((sent + received) / 2 - there) / 1000, within: (received - sent) / 2000 };
}

function sayDifference({ seconds }: ClockSkew): string {
  const direction = seconds > 0 ? "ahead of" : "behind";
  return `This process's clock is ${Math.abs(seconds).toFixed(1)} s ${direction} the database's. Synchronise the clocks of both machines.`;
}

const exceeds = ({ seconds, within }: ClockSkew, limit: number) => Math.abs(seconds) - within > limit;

/** Returns why `/health` is degraded by this skew, or null if it is small enough. */
export const explainSkew = (skew: ClockSkew) =>
  exceeds(skew, DEGRADED_SECONDS) ? sayDifference(skew) : null;

/** Returns why no process starts with this skew, or null if it may. Nobody should run a machine whose clock is that wrong. */
export const refuseSkew = (skew: ClockSkew) => (exceeds(skew, LARGEST_SECONDS) ? sayDifference(skew) : null);
