import type { Database } from "#db/client.ts";

/** The factor by which it is faster. */
const QUICK = 30;
/** How far it is set ahead when it slows down, so that it never goes back. */
const AHEAD_MS = 60_000;

/** Makes the triggers' clock run faster, until it is slowed down. */
export async function startQuickClock({ client }: Database) {
  let clock = { at: Date.now(), shows: Date.now(), speed: QUICK };
  let slowed: Date | undefined;
  const now = () => clock.shows + (Date.now() - clock.at) * clock.speed;

  async function set(next: typeof clock) {
    const [at, shows] = [next.at, next.shows].map((ms) => new Date(ms).toISOString());
    await client.unsafe(`
      create or replace function trigger_clock() returns timestamptz language sql volatile as $$
        select date_trunc('milliseconds',
          timestamptz '${shows}' + (clock_timestamp() - timestamptz '${at}') * ${next.speed})
      $$`);
    clock = next;
  }
  await set(clock);

  return {
    now,
    /** Lets it run at normal speed from now on; returns its time at that moment. */
    async slowDown(): Promise<Date> {
      if (slowed) return slowed;
      const shows = now() + AHEAD_MS;
      await set({ at: Date.now(), shows, speed: 1 });
      slowed = new Date(shows);
      return slowed;
    },
  };
}
