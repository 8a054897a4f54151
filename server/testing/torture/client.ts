import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "#server/defined.ts";
import { createRandom, type Random } from "./random.ts";

export interface Request {
  method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  path: string;
  /** The secret of an API key. */
  key?: string;
  body?: unknown;
  /** Raw bytes in place of a JSON body. */
  bytes?: Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
}

export interface Answer {
  status: number;
  headers: Headers;
  /** Its JSON, or the text of a file. */
  // biome-ignore lint/suspicious/noExplicitAny: areas look into what an answer says.
  body: any;
  /** When it was sent for and when it came, on the caller's monotonic clock. */
  began: number;
  ended: number;
}

/**
 * What is known of a write: it was answered with success; it was refused, and nothing has happened; or its caller can't
 * know, and repeats it.
 */
export type Outcome = "answered" | "refused" | "unknown";

/** A write, with all its repeats under one idempotency key. */
export interface Call extends Request {
  /** What tells its effect from all others. */
  marker: string;
  idempotencyKey: string;
  outcome: Outcome;
  /** Its answer's body, once it was answered. */
  // biome-ignore lint/suspicious/noExplicitAny: areas look into what an answer says.
  answer: any;
  /** What each attempt was answered, with the id of its request. */
  attempts: string[];
  /** How many answers said that it was done, rather than replayed. */
  done: number;
}

/** What a refusal of a repeat says of the repeat alone, not of the call: its key was not looked at yet. */
const PASSING = new Set([
  "limit_exhausted",
  "service_unavailable",
  "service_rate_limited",
  "invalid_request",
]);
/** What a process that was frozen says of what has waited for it. */
const NOT_IN_TIME = "The request was not sent in time";
const WRONG = new Set(["internal", "invalid_request", "invalid_json", "method_not_allowed", "scope_missing"]);
const REPEAT_PAUSE_MS = 100;
/** How long after its process goes on an attempt that waited in it may come to claim its key: it waits for the database and for the key. */
const LATE_MS = 15_000;

export interface ClientOptions {
  /** Where the webs that are ready listen. */
  origins(): string[];
  report(fault: string): void;
}

/** Calls the webs as a customer's backend does: with patience that ends, and repeats. */
export function createClient({ origins, report }: ClientOptions) {
  const counts = new Map<string, number>();
  /** Requests that were answered with success, by their ids. */
  const succeeded = new Set<string>();
  const calls: Call[] = [];
  /** Which web a caller's last answer came from. */
  const usual = new WeakMap<Random, string>();

  let attemptsEndAt = Number.POSITIVE_INFINITY;

  /**
   * A day's credits are judged after the key was looked at: what they refuse was not done before. It may still be done, by an
   * attempt that has waited in a frozen process, until those have ended too.
   */
  const isPassing = ({ code, limit }: { code?: string; limit?: { kind: string } }) =>
    PASSING.has(code ?? "") && !(performance.now() > attemptsEndAt && limit?.kind === "creditsPerDay");

  function count(name: string) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }

  /** Mostly the web that has answered this caller before: so one that hangs holds up its own callers only. */
  function originFor(random: Random): string | null {
    const ready = origins();
    const before = usual.get(random);
    if (before && ready.includes(before) && random.chance(0.9)) return before;
    if (ready.length === 0) return null;
    const chosen = random.pick(ready);
    usual.set(random, chosen);
    return chosen;
  }

  /** Sends once, to one of the webs; null where no answer came. */
  async function send(
    { method, path, key, body, bytes, headers }: Request,
    random: Random,
    patienceMs = random.between(500, 5000),
  ): Promise<Answer | null> {
    const origin = originFor(random);
    if (!origin) {
      await sleep(REPEAT_PAUSE_MS);
      return null;
    }
    const began = performance.now();
    try {
      const response = await fetch(origin + path, {
        method,
        headers: {
          ...(key && { authorization: `Bearer ${key}` }),
          ...(body !== undefined && { "content-type": "application/json" }),
          ...headers,
        },
        body: bytes ?? (body === undefined ? null : JSON.stringify(body)),
        signal: AbortSignal.timeout(patienceMs),
      });
      const text = await response.text();
      const answer = {
        status: response.status,
        headers: response.headers,
        body: response.headers.get("content-type")?.startsWith("application/json") ? JSON.parse(text) : text,
        began,
        ended: performance.now(),
      };
      note(method, path, answer);
      return answer;
    } catch {
      usual.delete(random);
      count("no answer");
      return null;
    }
  }

  function note(method: string, path: string, { status, headers, body }: Answer) {
    const code = body.error?.code;
    count(code ? `${status} ${code}` : String(status));
    if (status < 300 && headers.get("x-request-id")) succeeded.add(defined(headers.get("x-request-id")));
    // What callers send is right; where it is refused, the torture itself or the product is wrong.
    if (WRONG.has(code) && !body.error.message.startsWith(NOT_IN_TIME))
      report(`${method} ${path} was answered ${status}: ${JSON.stringify(body)}`);
  }

  /** Learns from the answer to one attempt, or from its absence. */
  function learn(call: Call, answer: Answer | null): void {
    call.attempts.push(summarize(answer));
    if (answer && answer.status < 300) learnSuccess(call, answer);
    else if (call.outcome === "answered") learnLateRefusal(call, answer);
    else learnRefusal(call, answer);
  }

  function summarize(answer: Answer | null): string {
    const { code, message, operationState, requestId } = answer?.body.error ?? {};
    if (code) return `${answer?.status} ${code}, ${operationState}: "${message}" ${requestId}`;
    return answer ? `${answer.status}, ${answer.headers.get("x-request-id")}` : "no answer";
  }

  function learnSuccess(call: Call, { headers, body }: Answer) {
    const about = `${call.method} ${call.path} (${call.marker})`;
    if (headers.get("idempotent-replayed") !== "true") call.done += 1;
    if (call.done > 1) report(`${about} was done twice: ${JSON.stringify(body)}.`);
    if (call.outcome === "answered" && JSON.stringify(body) !== JSON.stringify(call.answer))
      report(`${about} was answered ${JSON.stringify(body)} after ${JSON.stringify(call.answer)}.`);
    call.outcome = "answered";
    call.answer = body;
  }

  function learnRefusal(call: Call, answer: Answer | null) {
    const error = answer?.body.error ?? {};
    const isDefinite = error.operationState === "not_started";
    // Of a call that may have happened, a repeat that could not be made says nothing.
    if (call.outcome === "unknown" && (!isDefinite || isPassing(error))) return;
    call.outcome = isDefinite ? "refused" : "unknown";
  }

  /** What was answered is answered again by each repeat that is answered at all. */
  function learnLateRefusal({ method, path, marker }: Call, answer: Answer | null) {
    const { code, operationState } = answer?.body.error ?? {};
    if (answer === null || PASSING.has(code) || operationState !== "not_started") return;
    report(
      `${method} ${path} (${marker}) was answered, and its repeat refused: ${JSON.stringify(answer.body)}.`,
    );
  }

  /** Sends a call, once more if it was sent before. */
  async function repeat(call: Call, random: Random, patienceMs?: number): Promise<void> {
    const headers = { ...call.headers, "idempotency-key": call.idempotencyKey };
    learn(call, await send({ ...call, headers }, random, patienceMs));
  }

  /** Makes a call, and repeats it now and then, whether its outcome is known or not. */
  async function write(random: Random, marker: string, request: Request): Promise<Call> {
    const call: Call = {
      ...request,
      marker,
      idempotencyKey: `torture:${marker}`,
      // As long as nothing was sent.
      outcome: "refused",
      answer: null,
      attempts: [],
      done: 0,
    };
    calls.push(call);
    // A twin goes its own way, often to the other web.
    const twin = random.chance(0.08) ? createRandom(random.between(0, 2 ** 31)) : null;
    await Promise.all([repeat(call, random), twin && repeat(call, twin)]);
    for (let left = 3; left > 0 && call.outcome !== "answered" && random.chance(0.7); left--) {
      await sleep(REPEAT_PAUSE_MS);
      await repeat(call, random);
    }
    if (random.chance(0.05)) await repeat(call, random);
    return call;
  }

  return {
    /** Sends what has to succeed, where nothing is tortured any more or yet; returns the answer's body. */
    async must(request: Request): Promise<Answer["body"]> {
      for (let left = 20; ; left--) {
        const answer = await send(request, createRandom(left), 20_000);
        if (answer && answer.status < 300) return answer.body;
        if (left === 0 || (answer !== null && !isPassing(answer.body.error)))
          throw new Error(`${request.method} ${request.path}: ${JSON.stringify(answer?.body)}`);
        await sleep(REPEAT_PAUSE_MS);
      }
    },
    counts,
    succeeded,
    calls,
    send,
    write,
    /** Repeats every call whose outcome is unknown until it is known, or the time is over. */
    async settle(random: Random, ms: number): Promise<void> {
      attemptsEndAt = performance.now() + LATE_MS;
      const deadline = performance.now() + ms;
      const unknown = () => calls.filter(({ outcome }) => outcome === "unknown");
      while (unknown().length > 0 && performance.now() < deadline) {
        await Promise.all(
          unknown()
            .slice(0, 20)
            .map((call) => repeat(call, random, 20_000)),
        );
        await sleep(REPEAT_PAUSE_MS);
      }
      for (const { method, path, marker, attempts } of unknown())
        report(`The outcome of ${method} ${path} (${marker}) stays unknown: ${attempts.join("; ")}.`);
    },
  };
}

export type Client = ReturnType<typeof createClient>;
