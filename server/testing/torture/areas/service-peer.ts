import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "#server/base/defined.ts";
import { declaredExample } from "#server/testing/operator-services.ts";
import { startPeer } from "#server/testing/peer.ts";
import { createRandom } from "#server/testing/random.ts";

/** The effect of the service's calls with one idempotency key. */
export interface Effect {
  idempotencyKey: string;
  marker: string;
  credits: number;
}

interface CountInput {
  text: string;
}

/**
 * Starts an operator's service that executes once per idempotency key, and is unreliable: it hangs up after executing,
 * refuses before, and is slow. The first word of its input is the call's marker.
 */
export async function startServicePeer(seed: number) {
  const random = createRandom(seed);
  const effects = new Map<string, Effect>();
  let isWell = false;
  /** The current and the highest number of concurrent calls, by the first word of their markers. */
  const serving = new Map<string, { now: number; most: number }>();

  async function whileServed<Result>(marker: string, work: () => Promise<Result>): Promise<Result> {
    const name = defined(marker.split("-")[0]);
    const count = serving.get(name) ?? { now: 0, most: 0 };
    serving.set(name, count);
    count.now += 1;
    count.most = Math.max(count.most, count.now);
    try {
      return await work();
    } finally {
      count.now -= 1;
    }
  }

  const peer = await startPeer(async ({ headers, body }) => {
    const idempotencyKey = String(headers["idempotency-key"]);
    if (!isWell && random.chance(0.02)) return { status: 503, headers: { "retry-after": "1" } };
    if (!isWell && random.chance(0.01)) return { status: 500, body: { error: { message: "Not today." } } };
    const { text } = JSON.parse(body).input as CountInput;
    const words = text.split(" ");
    const pause = words.includes("slowly")
      ? 200
      : random.chance(0.3)
        ? random.between(1, isWell ? 20 : 300)
        : 0;
    await whileServed(defined(words[0]), () => sleep(pause));
    const known = effects.get(idempotencyKey);
    const effect = known ?? { idempotencyKey, marker: defined(words[0]), credits: words.length };
    effects.set(idempotencyKey, effect);
    if (!isWell && random.chance(0.03)) return "reset";
    const charged = { "x-service-credits-charged": String(effect.credits) };
    return { headers: charged, body: { words: effect.credits } };
  });

  return {
    service: declaredExample({ baseUrl: peer.origin, timeoutMs: 5000 }),
    effects,
    /** Returns the highest number of concurrent calls whose markers begin with this word. */
    mostAtOnce: (name: string) => serving.get(name)?.most ?? 0,
    /** From now on it responds to every call. */
    heal() {
      isWell = true;
    },
  };
}

export type ServicePeer = Awaited<ReturnType<typeof startServicePeer>>;
