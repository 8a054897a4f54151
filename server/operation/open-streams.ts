import { ApiError } from "./errors.ts";

/** Limits of streams; tests set shorter times. */
export interface StreamLimits {
  /** Open streams per account in one process. */
  perAccount: number;
  /** Open streams of all accounts in one process. */
  most: number;
  /** How often an idle stream sends a heartbeat and its caller's access is judged again. */
  heartbeatMs: number;
  /** How long a stream lives; then it ends and its client reconnects. */
  lifetimeMs: number;
  /** How long a client may read nothing while data waits for it, before it is disconnected. */
  stallMs: number;
  /** How long a call may wait at most, whatever time it asks for. */
  waitMs: number;
  /** How often a stream polls for new items in case a notification was lost. */
  pollMs: number;
}

const STREAM_LIMITS: StreamLimits = {
  perAccount: 100,
  most: 5000,
  heartbeatMs: 15_000,
  lifetimeMs: 10 * 60_000,
  stallMs: 30_000,
  waitMs: 50_000,
  pollMs: 5000,
};

/**
 * The kinds of long-lived requests: a stream opened with a key, a stream a browser opened with a signed
 * address, and a waiting call. Each kind has its own limit.
 */
export type StreamKind = "key" | "address" | "wait";

/** The open streams and waiting calls of this process. */
export interface OpenStreams {
  limits: StreamLimits;
  /** The number of open streams and waiting calls. */
  readonly open: number;
  /** Aborted when the process is about to stop: every stream ends and its client reconnects. */
  stopping: AbortSignal;
  /** Reserves a place for the account; returns the function that releases it. */
  enter(kind: StreamKind, accountId: string): () => void;
  drain(): void;
}

export function createOpenStreams(changed: Partial<StreamLimits> = {}): OpenStreams {
  const limits = { ...STREAM_LIMITS, ...changed };
  const drained = new AbortController();
  const places = new Map<string, number>();
  let open = 0;

  return {
    limits,
    stopping: drained.signal,
    get open() {
      return open;
    },
    enter(kind, accountId) {
      const key = `${kind} ${accountId}`;
      const own = places.get(key) ?? 0;
      if (own >= limits.perAccount)
        throw new ApiError(
          "limit_exhausted",
          kind === "wait"
            ? `The account has ${own} calls that wait, the most there may be. Send a lower waitSeconds.`
            : `The account has ${own} open streams, the most there may be. Close one.`,
          { check: "limit", retryAfterSeconds: 5 },
        );
      if (open >= limits.most)
        throw new ApiError("service_unavailable", "Too many streams are open. Connect again in a while.", {
          retryAfterSeconds: 5,
        });
      open += 1;
      places.set(key, own + 1);
      let left = false;
      return () => {
        if (left) return;
        left = true;
        open -= 1;
        const rest = (places.get(key) ?? 1) - 1;
        if (rest > 0) places.set(key, rest);
        else places.delete(key);
      };
    },
    drain: () => drained.abort(),
  };
}
