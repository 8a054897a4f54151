import postgres from "postgres";
import { MENDS } from "./driver-mends.mjs";

if (!("mends" in postgres) || postgres.mends !== MENDS)
  throw new Error(
    "The driver postgres is not mended as db/driver-mends.mjs says. Run: node server/boot/set-up.mjs install",
  );

/**
 * For how long queries may be unanswered before their connection is ended, never cancelled. Pools that share one know
 * together that the database is silent: a query was given up, nothing was answered since, and the next waits a moment only.
 */
export interface Deadline {
  ms: number;
  silentMs: number;
  /** Written down by the driver, as `performance.now()` says it. */
  answeredAt: number;
  silentSince: number;
}

export function deadlineOf(ms: number): Deadline {
  return { ms, silentMs: Math.min(ms, 250), answeredAt: 0, silentSince: 0 };
}

/** What our mends add to the options of postgres.js, and what its types leave out. */
export interface ConnectOptions extends postgres.Options<Record<string, never>> {
  deadline?: Deadline;
  onnotify?(channel: string, payload: string): void;
}

// With its own bound of 100, postgres.js searches ever longer lists for a connection to use: under load that took half
// the time of a small query.
const MAX_PIPELINE = 20;
const MAX_QUEUE = 2000;

/** Waits longer from attempt to attempt, at most a second: who comes back late is taken for dead by others. */
export const backoff = (attempts: number) => Math.min(2 ** attempts / 100, 1);

/** Opens connections to the platform's database, or to another. */
export function connect(url: string, options: ConnectOptions) {
  const all: object = {
    onnotice: () => undefined,
    connect_timeout: 5,
    backoff,
    max_pipeline: MAX_PIPELINE,
    max_queue: MAX_QUEUE,
    ...options,
  };
  return postgres(url, all);
}

/** Opens the one connection that a session's lock lives on: it is never replaced for its age. */
export function connectSession(url: string, options: ConnectOptions = {}) {
  return connect(url, { max: 1, max_lifetime: null, idle_timeout: 0, ...options });
}
