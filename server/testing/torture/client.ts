import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "#server/base/defined.ts";
import { createRandom, type Random } from "#server/testing/random.ts";

export interface Request {
  method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  path: string;
  /** The secret of an API key. */
  key?: string;
  body?: unknown;
  /** Raw bytes instead of a JSON body. */
  bytes?: Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
}

export interface Answer {
  status: number;
  headers: Headers;
  /** The parsed JSON, or the text of a file. */
  // biome-ignore lint/suspicious/noExplicitAny: areas look into what an answer says.
  body: any;
  /** The start and end of the request, on the caller's monotonic clock. */
  began: number;
  ended: number;
}

/**
 * A write's outcome as the caller knows it: it succeeded; it was refused without any effect; or its outcome is unknown,
 * and the caller repeats it.
 */
export type Outcome = "answered" | "refused" | "unknown";

/** A write, with all its attempts under one idempotency key. */
export interface Call extends Request {
  /** Identifies its effect among all others. */
  marker: string;
  idempotencyKey: string;
  outcome: Outcome;
  /** The body of its response, once it has succeeded. */
  // biome-ignore lint/suspicious/noExplicitAny: areas look into what an answer says.
  answer: any;
  /** The status or code of each attempt, with the request's id. */
  attempts: string[];
  /** How many responses reported execution instead of a replay. */
  done: number;
}

/** Refusals that concern only the attempt, because they were decided before the idempotency key was looked up. */
const PASSING = new Set([
  "limit_exhausted",
  "service_unavailable",
  "service_rate_limited",
  "invalid_request",
]);
/** The response of a suspended process to calls that waited in it. */
const NOT_IN_TIME = "The request was not sent in time";
const WRONG = new Set(["internal", "invalid_request", "invalid_json", "method_not_allowed", "scope_missing"]);
const REPEAT_PAUSE_MS = 100;
/** At the end, calls in doubt wait for the installation's work, which their repeats must not hold up. */
const SETTLE_PAUSE_MS = 1_000;
/** The number of callers that repeat calls with an unknown outcome at the end. */
const SETTLERS = 60;
/**
 * How long after its process continues a waiting attempt may claim its key: it waits for the database and for the key.
 */
const LATE_MS = 15_000;

interface ClientOptions {
  /** Returns the addresses of the web processes that are ready. */
  origins(): string[];
  report(fault: string): void;
}

/** Creates a client that calls the web processes as a customer's backend does: with timeouts and repeats. */
export function createClient({ origins, report }: ClientOptions) {
  const counts = new Map<string, number>();
  /** The ids of requests that succeeded. */
  const succeeded = new Set<string>();
  const calls: Call[] = [];
  /** The web process that last responded to each caller. */
  const usual = new WeakMap<Random, string>();

  let attemptsEndAt = Number.POSITIVE_INFINITY;

  /**
   * A daily limit of credits is checked after the key is looked up, so its refusal means that no earlier attempt
   * executed. One that waits in a suspended process may still execute, until those have ended too.
   */
  const isPassing = ({ code, limit }: { code?: string; limit?: { kind: string } }) =>
    PASSING.has(code ?? "") && !(performance.now() > attemptsEndAt && limit?.kind === "creditsPerDay");

  function count(name: string) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }

  /**
   * Mostly returns the web process that last responded to this caller, so that a hanging one delays only its own
   * callers.
   */
  function originFor(random: Random): string | null {
    const ready = origins();
    const before = usual.get(random);
    if (before && ready.includes(before) && random.chance(0.9)) return before;
    if (ready.length === 0) return null;
    const chosen = random.pick(ready);
    usual.set(random, chosen);
    return chosen;
  }

  /** Sends one attempt to a web process; null if there was no response. */
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
    } catch (reason) {
      usual.delete(random);
      count((reason as Error).name === "TimeoutError" ? "no answer in time" : "connection lost");
      return null;
    }
  }

  function note(method: string, path: string, { status, headers, body }: Answer) {
    const code = body.error?.code;
    count(code ? `${status} ${code}` : String(status));
    if (status < 300 && headers.get("x-request-id")) succeeded.add(defined(headers.get("x-request-id")));
    // Callers send valid requests: if one is refused as invalid, the test or the product is wrong.
    if (WRONG.has(code) && !body.error.message.startsWith(NOT_IN_TIME))
      report(`${method} ${path} was answered ${status}: ${JSON.stringify(body)}`);
  }

  /** Updates the call from an attempt's response, or from its absence. */
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
    // If the call may have executed, a refused repeat says nothing about it.
    if (call.outcome === "unknown" && (!isDefinite || isPassing(error))) return;
    call.outcome = isDefinite ? "refused" : "unknown";
  }

  /** A completed call's response is repeated by every later response to it. */
  function learnLateRefusal({ method, path, marker }: Call, answer: Answer | null) {
    const { code, operationState } = answer?.body.error ?? {};
    if (answer === null || PASSING.has(code) || operationState !== "not_started") return;
    report(
      `${method} ${path} (${marker}) was answered, and its repeat refused: ${JSON.stringify(answer.body)}.`,
    );
  }

  /** Sends a call, again if it was sent before. */
  async function repeat(call: Call, random: Random, patienceMs?: number): Promise<void> {
    const headers = { ...call.headers, "idempotency-key": call.idempotencyKey };
    learn(call, await send({ ...call, headers }, random, patienceMs));
  }

  /** Makes a call, and sometimes repeats it, whether or not its outcome is known. */
  async function write(random: Random, marker: string, request: Request): Promise<Call> {
    const call: Call = {
      ...request,
      marker,
      idempotencyKey: `torture:${marker}`,
      // Until an attempt is sent.
      outcome: "refused",
      answer: null,
      attempts: [],
      done: 0,
    };
    calls.push(call);
    // A concurrent duplicate is sent independently, often to the other web process.
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
    /** Sends a request that has to succeed, while no faults are applied; returns the response's body. */
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
    /** Repeats every call with an unknown outcome until it is known, or none has become known for this long. */
    async settle(random: Random, ms: number): Promise<void> {
      attemptsEndAt = performance.now() + LATE_MS;
      let deadline = performance.now() + ms;
      const unknown = () => calls.filter(({ outcome }) => outcome === "unknown");
      const waiting = unknown();
      async function settleSome() {
        for (let call = waiting.shift(); call && performance.now() < deadline; call = waiting.shift()) {
          await repeat(call, random, 20_000);
          if (call.outcome !== "unknown") deadline = performance.now() + ms;
          else {
            waiting.push(call);
            await sleep(SETTLE_PAUSE_MS);
          }
        }
      }
      await Promise.all(Array.from({ length: SETTLERS }, settleSome));
      for (const { method, path, marker, attempts } of unknown())
        report(`The outcome of ${method} ${path} (${marker}) stays unknown: ${attempts.join("; ")}.`);
    },
  };
}

export type Client = ReturnType<typeof createClient>;
