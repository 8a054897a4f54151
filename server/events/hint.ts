import { log } from "#server/log.ts";
import { type Platform, runningPlatform } from "#server/platform.ts";

/** The channel on which a process says that it has put something into the outbox. */
export const OUTBOX_CHANNEL = "outbox";

const DEBOUNCE_MS = 10;
const hinting = new WeakSet<Platform>();

/**
 * Tells the relays that there is something, soon after and not in the transaction, where each NOTIFY would take a lock
 * of the whole database. Only a hint: what commits later is found by the relays' poll.
 */
export function hintOutbox(): void {
  const running = runningPlatform();
  if (!running || hinting.has(running)) return;
  hinting.add(running);
  setTimeout(async () => {
    hinting.delete(running);
    if (runningPlatform() !== running) return;
    await running.database.admission
      .notify(OUTBOX_CHANNEL, "")
      .catch((error) => log.warn("The relays could not be told of an event.", { error }));
  }, DEBOUNCE_MS).unref();
}
