import { BlobStoreUnavailable } from "#server/providers/blobs/unavailable.ts";

const MAX_MS = 1000;

/** Whether a component answered. */
export interface HealthCheck {
  name: string;
  ok: boolean;
  durationMs: number | null;
  message: string | null;
}

interface Component {
  name: string;
  /** What people call it, with its setting. */
  title(): string;
  /** Asks it something that may go on after nobody waits for it any more. */
  ask(): Promise<unknown>;
}

/** Checks a component within a second. Calls at the same time share one question, since anybody may ask. */
export function checkOf(component: Component): () => Promise<HealthCheck> {
  let running: Promise<HealthCheck> | undefined;
  return () => {
    running ??= check(component).finally(() => {
      running = undefined;
    });
    return running;
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
      // What the blob store says of itself covers a full disk too.
      (reason) => (reason instanceof BlobStoreUnavailable ? reason.message : `${title()} is not available.`),
    ),
    silence,
  ]);
  clearTimeout(timer);
  if (message !== null) return { name, ok: false, durationMs: null, message };
  return { name, ok: true, durationMs: Math.round(performance.now() - started), message };
}
