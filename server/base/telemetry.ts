import { processWide } from "./process-wide.ts";

/** The fields of a call by which it is counted. */
export interface MeasuredCall {
  requestId: string;
  operation: { operationId: string };
  transport: string;
}

interface MeasuredResponse {
  status: number;
  error: { code: string } | null;
}

/** Logs a call that has ended; the account is null if nobody was authenticated. */
export type RequestLog = (
  call: MeasuredCall,
  ended: { response: MeasuredResponse; accountId: string | null },
  ms: number,
) => void;

/** Metrics of this process, if the operator enables them. */
export interface Metrics {
  callBegan(): void;
  callEnded(call: MeasuredCall, response: MeasuredResponse, ms: number): void;
  /** Counts a request that was refused before its operation was known. */
  refused(code: string): void;
  /**
   * Measures a batch of calls to the database; `waitedMs` is how long its first call waited. Returns the
   * function that ends the measurement.
   */
  batch(name: string, size: number, waitedMs: number): (ms: number) => void;
  runEnded(service: string, outcome: string): void;
  deliveryAttempted(outcome: string, ms: number): void;
  jobEnded(task: string, outcome: string, ms: number): void;
}

export type SpanKind = "server" | "internal" | "client";
/** Attributes of spans: ids and names only, since customers' content must not appear in traces. */
export type Attributes = Record<string, string | number | undefined>;

export interface SpanOptions {
  kind?: SpanKind;
  attributes?: Attributes;
  /** A `traceparent` header (W3C) of the parent span. */
  parent?: string | undefined;
}

/** Traces of this process, if the operator enables them. */
export interface Tracing {
  /** Runs work within a span, a child of the span that this is called in. */
  span<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T>;
  /** Adds attributes to the current span. */
  set(attributes: Attributes): void;
  /** Begins a span without children; returns the function that ends it, or null if nothing is recorded. */
  begin(name: string, options: SpanOptions): ((reason?: unknown) => void) | null;
  /** Returns the `traceparent` header for a request made within the current span. */
  traceparent(): string | null;
}

interface Telemetry {
  metrics: Metrics | null;
  tracing: Tracing | null;
  requestLog: RequestLog | null;
}

const holder = processWide<Telemetry>("telemetry");

/** The metrics, traces and request log of this process; each null unless the settings enable it. */
holder.state ??= { metrics: null, tracing: null, requestLog: null };
export const telemetry = holder.state;

/** Runs work within a span if traces are enabled; otherwise only runs the work. */
export function span<T>(name: string, options: () => SpanOptions, work: () => Promise<T>): Promise<T> {
  const { tracing } = telemetry;
  return tracing ? tracing.span(name, options(), work) : work();
}

const none = {};
/** Span options without attributes. */
export const unnamed = (): SpanOptions => none;
