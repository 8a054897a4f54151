import postgres from "postgres";
import { PATCHES_DIGEST } from "./driver-patches.mjs";

if (!("patches" in postgres) || postgres.patches !== PATCHES_DIGEST)
  throw new Error(
    "The driver postgres is not patched as db/driver-patches.mjs says. Run: node server/boot/set-up.mjs install",
  );

/**
 * How long queries may be unanswered before their connection is ended; queries are never cancelled. Pools that share
 * a deadline share the knowledge that the database is silent: after one query was given up and until one is answered,
 * others wait only briefly.
 */
export interface Deadline {
  ms: number;
  silentMs: number;
  /** Set by the driver, on the clock of `performance.now()`. */
  answeredAt: number;
  silentSince: number;
}

export function deadlineOf(ms: number): Deadline {
  return { ms, silentMs: Math.min(ms, 250), answeredAt: 0, silentSince: 0 };
}

/** The options that our patches add to postgres.js, and those its types omit. */
export interface ConnectOptions extends postgres.Options<Record<string, never>> {
  deadline?: Deadline;
  onnotify?(channel: string, payload: string): void;
}

// With the default of 100, postgres.js searches ever longer lists for a free connection; under load that took half
// the time of a small query.
const MAX_PIPELINE = 20;
const MAX_QUEUE = 2000;

/**
 * Returns the delay before the next attempt, growing to at most a second: a process that reconnects late is
 * considered dead.
 */
export const backoff = (attempts: number) => Math.min(2 ** attempts / 100, 1);

/** Opens connections to the platform's database, or to another one. */
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

/** Opens the single connection that holds a session lock; it is never replaced because of its age. */
export function connectSession(url: string, options: ConnectOptions = {}) {
  return connect(url, { max: 1, max_lifetime: null, idle_timeout: 0, ...options });
}
