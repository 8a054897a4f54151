import { setTimeout as sleep } from "node:timers/promises";
import { connectSession, deadlineOf } from "./connect.ts";

const BEAT_MS = 5000;
const RETRY_MS = 50;

/**
 * Listens on a channel over a connection of its own, which is checked every five seconds and reopened when lost.
 * Calls `begun` whenever listening begins: notifications from before may be lost.
 */
export async function listen(
  url: string,
  channel: string,
  receive: (payload: string) => void,
  begun: () => void,
): Promise<() => Promise<void>> {
  let hearing = false;
  let stopped = false;
  let wake = new AbortController();
  const sql = connectSession(url, {
    deadline: deadlineOf(BEAT_MS),
    fetch_types: false,
    onnotify: (_channel, payload) => receive(payload),
    onclose() {
      hearing = false;
      wake.abort();
    },
  });

  async function beat(): Promise<void> {
    if (hearing) return void (await sql`select 1`);
    await sql`listen ${sql(channel)}`;
    hearing = true;
    begun();
  }

  async function run(): Promise<void> {
    for (let rest = BEAT_MS; !stopped; ) {
      wake = new AbortController();
      await sleep(rest, undefined, { signal: wake.signal }).catch(() => undefined);
      if (stopped) return;
      rest = await beat().then(
        () => BEAT_MS,
        () => RETRY_MS,
      );
    }
  }

  try {
    await beat();
  } catch (error) {
    await sql.end({ timeout: 5 });
    throw error;
  }
  const running = run();
  return async () => {
    stopped = true;
    wake.abort();
    await running;
    await sql.end({ timeout: 5 });
  };
}
