import type { ISql } from "postgres";
import { learnClock } from "./clock.ts";
import { defined } from "./defined.ts";

/** Asks the database for its time, in Unix milliseconds, and learns from it; one round trip. */
export async function askClock(sql: ISql): Promise<number> {
  const asked = performance.now();
  const rows = await sql<{ at: number }[]>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as at`;
  const { at } = defined(rows[0]);
  learnClock(at, asked, performance.now());
  return at;
}
