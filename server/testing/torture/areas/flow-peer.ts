import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { startPeer } from "#server/testing/peer.ts";
import { createRandom, type Random } from "#server/testing/random.ts";
import type { TorturedProcess } from "../process.ts";

const PAUSE_MS = 150;
const PATIENCE_MS = 3000;
const LONGEST_WORK_MS = 250;
const LONGEST_HANDOVER_MS = 600;

/** A request to an address of the platform, repeated until it gets a final response. */
export interface Post {
  marker: string;
  /** The last response's status; 0 before the first. */
  status: number;
}

/**
 * Starts an outside system: it executes the requests of workflow steps, calls back, and delivers webhooks. It repeats
 * both until they get a final response, and sometimes sends the same to both web processes at once.
 */
export async function startFlowPeer(webs: readonly Pick<TorturedProcess, "origin">[]) {
  const random = createRandom(1);
  /** The steps that it has executed. */
  const worked = new Set<string>();
  /** Its callbacks by address, and its deliveries. */
  const callbacks = new Map<string, Post>();
  const deliveries: Post[] = [];
  let over = false;
  onTestFinished(() => {
    over = true;
  });

  async function post(origin: string | null, path: string, body: string): Promise<number> {
    const headers = { "content-type": "application/json" };
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const options = { method: "POST", headers, body, signal };
    return fetch(origin + path, options).then(
      ({ status }) => status,
      () => 0,
    );
  }

  /** Sends until a final response, which may be a refusal. */
  async function carry(own: Post, path: string, body: object, isAtBoth: boolean): Promise<void> {
    const text = JSON.stringify(body);
    while (!over && own.status === 0) {
      const to = isAtBoth ? webs : [random.pick(webs)];
      const statuses = await Promise.all(to.map(({ origin }) => post(origin, path, text)));
      own.status = statuses.find((status) => status >= 200 && status < 500 && status !== 429) ?? 0;
      await sleep(PAUSE_MS);
    }
  }

  async function callBack(address: string, marker: string): Promise<void> {
    if (callbacks.has(address)) return;
    const callback = { marker, status: 0 };
    callbacks.set(address, callback);
    await sleep(random.between(0, LONGEST_HANDOVER_MS));
    await carry(callback, new URL(address).pathname, { said: marker }, random.chance(0.3));
  }

  const peer = await startPeer(async ({ path, body }) => {
    const { marker, address }: { marker: string; address?: string } = JSON.parse(body);
    if (address) {
      void callBack(address, marker);
      return { status: 202 };
    }
    await sleep(random.between(1, LONGEST_WORK_MS));
    worked.add(`${path} ${marker}`);
    return { body: { marker } };
  });

  return {
    origin: peer.origin,
    host: peer.host,
    worked,
    callbacks,
    deliveries,
    /** Delivers to an address after a while. */
    deliver(address: string, marker: string, by: Random): void {
      const delivery = { marker, status: 0 };
      deliveries.push(delivery);
      void carry(delivery, new URL(address).pathname, { marker }, by.chance(0.3));
    },
    /** Returns how many posts have no final response yet. */
    unanswered: () => [...callbacks.values(), ...deliveries].filter(({ status }) => status === 0).length,
  };
}

export type FlowPeer = Awaited<ReturnType<typeof startFlowPeer>>;
