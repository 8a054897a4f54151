import type { Call, CallResponse } from "./operation/call.ts";

/** Counts what a process does, where the operator asks for metrics. */
export interface Metrics {
  callBegan(): void;
  callEnded(call: Pick<Call, "operation" | "transport">, response: CallResponse, ms: number): void;
  /** A request was refused before its operation was known. */
  refused(code: string): void;
  /** A batch of calls goes to the database; `waitedMs` is how long its first call has waited. */
  batch(name: string, size: number, waitedMs: number): (ms: number) => void;
  runEnded(service: string, outcome: string): void;
  deliveryAttempted(outcome: string, ms: number): void;
  jobEnded(task: string, outcome: string, ms: number): void;
}

export type SpanKind = "server" | "internal" | "client";
/** Ids and names alone: what customers send stays out of traces. */
export type Attributes = Record<string, string | number | undefined>;

export interface SpanOptions {
  kind?: SpanKind;
  attributes?: Attributes;
  /** A `traceparent` header (W3C) that the span goes on from. */
  parent?: string | undefined;
}

/** Follows calls and work through a process, where the operator asks for traces. */
export interface Tracing {
  /** Does work within a span, which is a child of the one that this is called in. */
  span<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T>;
  /** Adds to the present span. */
  set(attributes: Attributes): void;
  /** Begins a span that has no children; null where nothing is recorded. Returns what ends it. */
  begin(name: string, options: SpanOptions): ((reason?: unknown) => void) | null;
  /** The headers for a request that is made within the present span. */
  traceparent(): string | null;
}

// Next.js bundles its own copy of this module.
const KEY = Symbol.for("managed-services.telemetry");
const holder = globalThis as { [KEY]?: { metrics: Metrics | null; tracing: Tracing | null } };

/** What observes this process; nothing, unless the settings ask for it. */
holder[KEY] ??= { metrics: null, tracing: null };
export const telemetry = holder[KEY];

/** Does work within a span where there are traces; else it only does the work. */
export function span<T>(name: string, options: () => SpanOptions, work: () => Promise<T>): Promise<T> {
  const { tracing } = telemetry;
  return tracing ? tracing.span(name, options(), work) : work();
}

const none = {};
/** Names nothing but the step. */
export const unnamed = (): SpanOptions => none;
