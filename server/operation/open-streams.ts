import { ApiError } from "./errors.ts";

/** What bounds streams; tests set shorter times. */
export interface StreamLimits {
  /** How many streams an account may have open in one process. */
  perAccount: number;
  /** How many all accounts may have open in one process. */
  most: number;
  /** How often a silent stream says that it is there, and its caller's access is judged again. */
  heartbeatMs: number;
  /** After so long a stream ends, and its client connects anew. */
  lifetimeMs: number;
  /** A client that reads nothing of what waits for so long is cut off. */
  stallMs: number;
  /** How long a call waits at most, whatever it asks for. */
  waitMs: number;
  /** How often a stream looks for what is new where it was not notified. */
  pollMs: number;
}

export const STREAM_LIMITS: StreamLimits = {
  perAccount: 100,
  most: 5000,
  heartbeatMs: 15_000,
  lifetimeMs: 10 * 60_000,
  stallMs: 30_000,
  waitMs: 50_000,
  pollMs: 5000,
};

/**
 * What is open: the stream of a caller with a key, that of a browser with a signed address, or a call that waits. Each kind
 * has places of its own.
 */
export type StreamKind = "key" | "address" | "wait";

/** The streams of this process, and the calls that wait for a change. */
export interface OpenStreams {
  limits: StreamLimits;
  /** How many are open. */
  readonly open: number;
  /** Aborted when the process is about to stop: every stream ends then, and its client connects anew. */
  stopping: AbortSignal;
  /** Takes a place of the account's; returns the function that gives it back. */
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
