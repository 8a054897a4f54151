import type postgres from "postgres";
import { connect, deadlineOf } from "#db/connect.ts";
import { CONNECTIONS } from "#db/connections.ts";
import { idOf } from "#server/base/ids.ts";
import { log } from "#server/base/log.ts";
import { createPolling } from "#server/base/polling.ts";
import { listenForWakeUps } from "#server/base/wake-ups.ts";

const POLL_MS = 250;
const BATCH = 500;
/** The time limit of a batch. */
const BATCH_MS = 20_000;

interface Relayed {
  full: boolean;
  queued: number;
  /** Accounts whose streams have new events; UUIDs. */
  followed: string[];
  /** The number of runs that an event resumed. */
  resumed: number;
}

interface RelayOptions {
  url: string;
  onQueued(): void;
  /** Called with the id of each account whose streams have new events. */
  onFollowed(accountId: string): void;
  /** Called when runs that waited for an event are ready. */
  onResumed?(): void;
}

/** Moves events from the outbox to the webhooks that receive them. Returns whether there may be more. */
export async function relayBatch(sql: postgres.Sql): Promise<Relayed> {
  const [row] = await sql<
    { queued: number; followed: string[] | null; resumed: number; more: boolean }[]
  >`select queued, followed, resumed, more from fan_out_events(${BATCH})`;
  return {
    full: row?.more ?? false,
    queued: row?.queued ?? 0,
    followed: row?.followed ?? [],
    resumed: row?.resumed ?? 0,
  };
}

/**
 * Relays events until it is stopped: on wake-ups, and by polling in case a wake-up came early or was lost. Any number
 * of processes may relay on one database.
 */
export function startRelay({ url, onQueued, onFollowed, onResumed }: RelayOptions) {
  const sql = connect(url, { max: CONNECTIONS.webhookRelay, deadline: deadlineOf(BATCH_MS) });
  const polling = createPolling({
    async turn() {
      const { full, queued, followed, resumed } = await relayBatch(sql);
      for (const account of followed) onFollowed(idOf("account", account));
      if (resumed > 0) onResumed?.();
      if (queued > 0) onQueued();
      return full;
    },
    pauseMs: POLL_MS,
    failing: "Events could not be relayed; it is tried again.",
  });
  const wakeUp = () => {
    polling.wake();
    // Replays and tests are queued without an event.
    onQueued();
  };
  const listening = listenForWakeUps(url, "events", wakeUp).catch((error) =>
    log.warn("The relay gets no wake-ups; it polls.", { error }),
  );
  polling.start();

  return {
    /** Waits for the running batch. */
    async stop() {
      await polling.stop();
      await (await listening)?.();
      await sql.end({ timeout: 5 });
    },
  };
}
