import { backoffMs } from "#server/base/backoff.ts";
import type { SigningKey } from "./secrets.ts";

/** A due delivery, as returned by `due_deliveries`; ids are UUIDs. */
export interface Due {
  account_id: string;
  id: string;
  webhook_id: string;
  event_id: string;
  event: string;
  /** The number of earlier attempts. */
  attempts: number;
  payload: string;
  /** True if the event's id, resource and status are sent in place of the payload. */
  thin: boolean;
  /** Address, headers and signing secrets are set on the first delivery of each fetch only. */
  url: string | null;
  secret: Uint8Array | null;
  previous_secret: Uint8Array | null;
  headers: Uint8Array | null;
}

/** The address of deliveries, their headers, and the signing keys. */
export interface Target {
  url: string;
  keys: SigningKey[];
  /** The customer's own headers. */
  headers: Record<string, string>;
}

const FIRST = 4;
const MAX_AT_ONCE = 64;
const SILENT_BEFORE_PAUSE = 8;
const LONGEST_PAUSE_MS = 15_000;
const BUFFER = 4;
const FRESH_MS = 1000;

/**
 * A worker's state of an endpoint: how many concurrent attempts it can handle, learnt from results, and a circuit
 * breaker that pauses an endpoint which does not respond. So a hanging endpoint takes few places and delays no other.
 */
export class Endpoint {
  readonly accountId: string;
  readonly webhookId: string;
  inFlight = 0;
  /** True if the last fetch found no delivery that is not in progress. */
  drained = false;
  /** The address and keys; null before the first fetch, or if the secret cannot be opened. */
  target: Target | null = null;
  #limit = FIRST;
  #silent = 0;
  #pausedUntil = 0;
  #waiting: Due[] = [];
  #fetchedAt = 0;

  constructor(accountId: string, webhookId: string) {
    this.accountId = accountId;
    this.webhookId = webhookId;
  }

  /** Returns how many deliveries to fetch; none while enough wait or the endpoint is paused. */
  wanted(now: number): number {
    if (now < this.#pausedUntil) return 0;
    if (now - this.#fetchedAt > FRESH_MS) this.#waiting = [];
    const room = this.#limit * BUFFER - this.#waiting.length;
    return this.#waiting.length < this.#limit ? room : 0;
  }

  /** Adds fetched deliveries; `targetOf` opens the secrets. */
  fill(due: Due[], now: number, targetOf: (first: Due) => Target | null): void {
    this.drained = due.length === 0 && this.#waiting.length === 0;
    this.#waiting.push(...due);
    this.#fetchedAt = now;
    const first = due.find(({ secret }) => secret);
    if (first) this.target = targetOf(first);
  }

  /** The deliveries that wait in memory. */
  get waiting(): readonly Due[] {
    return this.#waiting;
  }

  /** Returns the next delivery to send, if a place is free. */
  take(now: number): Due | undefined {
    if (this.inFlight >= this.#limit || now < this.#pausedUntil) return undefined;
    const next = this.#waiting.shift();
    if (next) this.inFlight += 1;
    return next;
  }

  /** Records the result of an attempt. */
  done({ succeeded, answered }: { succeeded: boolean; answered: boolean }, now: number): void {
    this.inFlight -= 1;
    this.#silent = answered ? 0 : this.#silent + 1;
    if (succeeded) this.#limit = Math.min(MAX_AT_ONCE, this.#limit + 1);
    else this.#limit = Math.max(1, this.#limit >> 1);
    if (this.#silent < SILENT_BEFORE_PAUSE) return;
    this.#pausedUntil = now + backoffMs(this.#silent - SILENT_BEFORE_PAUSE, 1000, LONGEST_PAUSE_MS);
    this.#waiting = [];
  }

  /** True if the endpoint can be released: nothing is in progress, and nothing more is due. */
  get idle(): boolean {
    return this.drained && this.inFlight === 0 && this.#waiting.length === 0;
  }
}
