import { AsyncLocalStorage } from "node:async_hooks";
import {
  type Context,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { followQueries } from "#db/follow-queries.ts";
import { log } from "../../base/log.ts";
import { type Attributes, type SpanOptions, type Tracing, telemetry } from "../../base/telemetry.ts";
import type { TraceSettings } from "../../env/read-env.ts";
import type { Release } from "../../env/release.ts";

/** How long sending the last spans may take when the process stops. */
const EXPORT_MS = 3000;
const COMPLAIN_MS = 60_000;
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const KINDS = { server: SpanKind.SERVER, internal: SpanKind.INTERNAL, client: SpanKind.CLIENT };

/** True if the context's span was recorded and has ended. */
function hasEnded(context: Context): boolean {
  const span = trace.getSpan(context);
  if (!span || span.isRecording()) return false;
  return (span.spanContext().traceFlags & TraceFlags.SAMPLED) !== 0;
}

/** Returns the context of a caller's `traceparent`; the root's if it is malformed or all zeros. */
function remoteContext(header: string): Context {
  const [, traceId = "", spanId = "", flags = "0"] = TRACEPARENT.exec(header) ?? [];
  if (/^0*$/.test(traceId) || /^0*$/.test(spanId)) return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

/** Reports at most once a minute why spans did not reach the collector. */
function logTroubles(): void {
  let said = Number.NEGATIVE_INFINITY;
  const complain = (text: string) => {
    if (performance.now() - said < COMPLAIN_MS) return;
    said = performance.now();
    log.warn("Traces could not be exported.", { reason: text.slice(0, 300) });
  };
  const nothing = () => undefined;
  diag.setLogger(
    { error: complain, warn: complain, info: nothing, debug: nothing, verbose: nothing },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}

function fail(span: Span, reason: unknown): void {
  const { code, name } = (reason ?? {}) as { code?: unknown; name?: unknown };
  span.setAttribute("error.type", String(code ?? name ?? "error"));
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Traces this process's work, and sends the spans to an OTLP receiver. */
export function startTraces({ endpoint, headers, ratio, serviceName }: TraceSettings, release: Release) {
  logTroubles();
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    headers,
    timeoutMillis: EXPORT_MS,
  });
  // Callers may name the trace, but not have more recorded than the operator wants.
  const byRatio = new TraceIdRatioBasedSampler(ratio);
  const provider = new TracerProvider({
    sampler: new ParentBasedSampler({
      root: byRatio,
      remoteParentSampled: byRatio,
      remoteParentNotSampled: byRatio,
    }),
    spanLimits: { attributeValueLengthLimit: 500, attributeCountLimit: 20 },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        exportTimeoutMillis: EXPORT_MS,
        scheduledDelayMillis: 1000,
        maxQueueSize: 4096,
      }),
    ],
    resource: resourceFromAttributes({
      "service.name": serviceName,
      "service.version": release.version,
      ...(release.commit && { "vcs.ref.head.revision": release.commit }),
    }),
  });
  const tracer = provider.getTracer("platform", release.version);
  const contexts = new AsyncLocalStorage<Context>();

  function start(name: string, { kind = "internal", attributes }: SpanOptions, parent: Context): Span {
    return tracer.startSpan(name, { kind: KINDS[kind], ...(attributes && { attributes }) }, parent);
  }

  const tracing: Tracing = {
    async span(name, options, work) {
      const around = contexts.getStore();
      // Work that a call has begun and not awaited, such as an engine that it woke, is a trace of its own.
      const within = around && hasEnded(around) ? undefined : around;
      // No span below an unrecorded span is recorded.
      if (within && !trace.getSpan(within)?.isRecording()) return work();
      const parent = within ?? (options.parent ? remoteContext(options.parent) : ROOT_CONTEXT);
      const span = start(name, options, parent);
      try {
        return await contexts.run(trace.setSpan(parent, span), work);
      } catch (reason) {
        fail(span, reason);
        throw reason;
      } finally {
        span.end();
      }
    },
    set(attributes: Attributes) {
      const span = trace.getSpan(contexts.getStore() ?? ROOT_CONTEXT);
      if (!span?.isRecording()) return;
      span.setAttributes(attributes);
      if (attributes["error.type"] !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
    },
    begin(name, options) {
      const parent = contexts.getStore();
      if (!parent || !trace.getSpan(parent)?.isRecording()) return null;
      const span = start(name, options, parent);
      return (reason) => {
        if (reason !== undefined) fail(span, reason);
        span.end();
      };
    },
    traceparent() {
      const context = trace.getSpanContext(contexts.getStore() ?? ROOT_CONTEXT);
      if (!context) return null;
      return `00-${context.traceId}-${context.spanId}-${context.traceFlags.toString(16).padStart(2, "0")}`;
    },
  };
  telemetry.tracing = tracing;
  followQueries((text) => tracing.begin("query", { kind: "client", attributes: { "db.query.text": text } }));
  return {
    async stop() {
      followQueries(null);
      telemetry.tracing = null;
      await provider.shutdown().catch((error) => log.warn("The last traces were lost.", { error }));
      diag.disable();
    },
  };
}
