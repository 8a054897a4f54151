import type { SigningKey } from "./secrets.ts";

/** A delivery that is due, as `due_deliveries` answers it; ids are UUIDs. */
export interface Due {
  account_id: string;
  id: string;
  webhook_id: string;
  event_id: string;
  event: string;
  /** How many attempts there have been. */
  attempts: number;
  payload: string;
  /** Whether the event's id, resource and status are sent in place of the payload. */
  thin: boolean;
  /** Where to send, with which headers, and what to sign with stand on the first of what is fetched at a time. */
  url: string | null;
  secret: Uint8Array | null;
  previous_secret: Uint8Array | null;
  headers: Uint8Array | null;
}

/** Where deliveries go, with which headers, and what they are signed with. */
export interface Target {
  url: string;
  keys: SigningKey[];
  /** The customer's own. */
  headers: Record<string, string>;
}

const FIRST = 4;
const MOST = 64;
const SILENT_BEFORE_PAUSE = 8;
const LONGEST_PAUSE_MS = 15_000;
const BUFFER = 4;
const FRESH_MS = 1000;

/**
 * What a worker knows of an endpoint that it sends to: how many attempts at a time it bears, found out by sending, and
 * a circuit that pauses one which does not answer at all. So one that hangs takes few places, and delays nobody else.
 */
export class Endpoint {
  readonly accountId: string;
  readonly webhookId: string;
  inFlight = 0;
  /** Whether a look at the queue has found nothing that is not under way. */
  drained = false;
  /** Where to send; null until something was fetched, or where its secret can't be opened. */
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

  /** How many deliveries to fetch; none while enough wait or it is paused. */
  wanted(now: number): number {
    if (now < this.#pausedUntil) return 0;
    if (now - this.#fetchedAt > FRESH_MS) this.#waiting = [];
    const room = this.#limit * BUFFER - this.#waiting.length;
    return this.#waiting.length < this.#limit ? room : 0;
  }

  /** Takes what was fetched; `targetOf` opens the secrets. */
  fill(due: Due[], now: number, targetOf: (first: Due) => Target | null): void {
    this.drained = due.length === 0 && this.#waiting.length === 0;
    this.#waiting.push(...due);
    this.#fetchedAt = now;
    const first = due.find(({ secret }) => secret);
    if (first) this.target = targetOf(first);
  }

  /** What waits in memory, unsent. */
  get waiting(): readonly Due[] {
    return this.#waiting;
  }

  /** The next delivery to send, when it has a place for one. */
  take(now: number): Due | undefined {
    if (this.inFlight >= this.#limit || now < this.#pausedUntil) return undefined;
    const next = this.#waiting.shift();
    if (next) this.inFlight += 1;
    return next;
  }

  /** Notes what came of an attempt. */
  done({ succeeded, answered }: { succeeded: boolean; answered: boolean }, now: number): void {
    this.inFlight -= 1;
    this.#silent = answered ? 0 : this.#silent + 1;
    if (succeeded) this.#limit = Math.min(MOST, this.#limit + 1);
    else this.#limit = Math.max(1, this.#limit >> 1);
    if (this.#silent < SILENT_BEFORE_PAUSE) return;
    const pause = Math.min(LONGEST_PAUSE_MS, 1000 * 2 ** (this.#silent - SILENT_BEFORE_PAUSE));
    this.#pausedUntil = now + pause;
    this.#waiting = [];
  }

  /** Whether it can be given back: nothing is under way, and nothing more is due. */
  get idle(): boolean {
    return this.drained && this.inFlight === 0 && this.#waiting.length === 0;
  }
}
