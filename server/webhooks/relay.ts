import { setTimeout as sleep } from "node:timers/promises";
import type postgres from "postgres";
import { connect, deadlineOf } from "#db/connect.ts";
import { CONNECTIONS } from "#db/connections.ts";
import { idOf } from "#server/ids.ts";
import { log } from "#server/log.ts";
import { listenForWakeUps } from "#server/wake-ups.ts";

const POLL_MS = 250;
const BATCH = 500;
/** For how long a batch may take. */
const BATCH_MS = 20_000;

interface Relayed {
  full: boolean;
  queued: number;
  /** The accounts whose streams have something new; UUIDs. */
  followed: string[];
  /** How many runs go on by an event. */
  resumed: number;
}

interface RelayOptions {
  url: string;
  onQueued(): void;
  /** Gets the id of an account whose streams have something new. */
  onFollowed(accountId: string): void;
  /** Runs that waited for an event are ready. */
  onResumed?(): void;
}

/** Moves events from the outbox on to the webhooks that get them. Answers whether there may be more. */
export async function relayBatch(sql: postgres.Sql): Promise<Relayed> {
  const [row] = await sql<
    { moved: number; queued: number; followed: string[] | null; resumed: number }[]
  >`select moved, queued, followed, resumed from fan_out_events(${BATCH})`;
  return {
    full: row?.moved === BATCH,
    queued: row?.queued ?? 0,
    followed: row?.followed ?? [],
    resumed: row?.resumed ?? 0,
  };
}

/**
 * Relays events until it is stopped: as soon as a process sends a wake-up, and by a poll where that came too
 * early or got lost. Any number of processes may do it on one database.
 */
export function startRelay({ url, onQueued, onFollowed, onResumed }: RelayOptions) {
  const sql = connect(url, { max: CONNECTIONS.webhookRelay, deadline: deadlineOf(BATCH_MS) });
  let stopping = false;
  let wake = Promise.withResolvers<void>();
  const wakeUp = () => {
    wake.resolve();
    // A replay or a test is queued without an event.
    onQueued();
  };
  const listening = listenForWakeUps(url, "events", wakeUp).catch((error) =>
    log.warn("The relay gets no wake-ups; it polls.", { error }),
  );

  async function run(): Promise<void> {
    let failing = false;
    while (!stopping) {
      wake = Promise.withResolvers();
      try {
        const { full, queued, followed, resumed } = await relayBatch(sql);
        for (const account of followed) onFollowed(idOf("account", account));
        if (resumed > 0) onResumed?.();
        if (queued > 0) onQueued();
        failing = false;
        if (full) continue;
      } catch (error) {
        if (!failing) log.warn("Events could not be relayed; it is tried again.", { error });
        failing = true;
      }
      await Promise.race([wake.promise, sleep(failing ? 4 * POLL_MS : POLL_MS)]);
    }
  }
  const running = run();

  return {
    /** Ends the batch under way. */
    async stop() {
      stopping = true;
      wake.resolve();
      await running;
      await (await listening)?.();
      await sql.end({ timeout: 5 });
    },
  };
}
