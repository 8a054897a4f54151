import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "#db/connect.ts";
import { onCleanup } from "./cleanup.ts";
import { threadMs } from "./cpu.ts";

/** The platform promises that the work of a process that died is continued within this time. */
export const TAKEOVER_MS = 5000;

const PAUSE_MS = 10;
/** How long a pause with a round trip takes at most on an idle machine. */
const TURN_MS = 15;

/**
 * Starts a clock in milliseconds for work that this process and the database share; it pauses while either waits for a
 * core. It measures pauses with a round trip each: the time that such a turn takes longer than on an idle machine does
 * not count, unless this thread has worked meanwhile.
 */
export async function startTakeoverClock(databaseUrl: string): Promise<() => number> {
  const sql = connect(databaseUrl, { max: 1 });
  await sql`select 1`;
  let stopped = false;
  let counted = 0;
  let [turned, worked] = [performance.now(), threadMs()];

  function count() {
    const [now, work] = [performance.now(), threadMs()];
    counted += Math.min(now - turned, Math.max(TURN_MS, work - worked));
    [turned, worked] = [now, work];
  }
  async function run() {
    while (!stopped) {
      await sleep(PAUSE_MS);
      await sql`select 1`;
      count();
    }
  }
  const running = run();
  onCleanup(async () => {
    stopped = true;
    await running;
    await sql.end({ timeout: 5 });
  });
  return () => {
    count();
    return counted;
  };
}
