import { BlobStoreUnavailable } from "#server/providers/blobs/unavailable.ts";

const MAX_MS = 1000;

/** The result of checking a component. */
export interface HealthCheck {
  name: string;
  ok: boolean;
  durationMs: number | null;
  message: string | null;
}

interface Component {
  name: string;
  /** The component's name for people, with its setting. */
  title(): string;
  /** Queries the component; the query may continue after the check has given up. */
  ask(): Promise<unknown>;
  /** How long a result is reused, where queries cost. */
  keptMs?: number;
}

/** Returns a check that takes at most a second. Concurrent calls share one query, since anybody may ask. */
export function checkOf(component: Component): () => Promise<HealthCheck> {
  const { keptMs = 0 } = component;
  let latest: Promise<HealthCheck> | undefined;
  let until = 0;
  return () => {
    if (latest && performance.now() < until) return latest;
    until = Number.POSITIVE_INFINITY;
    latest = check(component).finally(() => {
      until = performance.now() + keptMs;
    });
    return latest;
  };
}

async function check({ name, title, ask }: Component): Promise<HealthCheck> {
  const started = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`${title()} did not answer within ${MAX_MS} ms.`), MAX_MS);
  });
  const message = await Promise.race([
    ask().then(
      () => null,
      // The blob store's own message also covers a full disk.
      (reason) => (reason instanceof BlobStoreUnavailable ? reason.message : `${title()} is not available.`),
    ),
    silence,
  ]);
  clearTimeout(timer);
  if (message !== null) return { name, ok: false, durationMs: null, message };
  return { name, ok: true, durationMs: Math.round(performance.now() - started), message };
}
