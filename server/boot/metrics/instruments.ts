import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type OpenMetricsContentType,
  Registry,
} from "prom-client";
import type { Metrics } from "../../base/telemetry.ts";

export type MetricsRegistry = Registry<OpenMetricsContentType>;

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const LONG_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 1800];
const SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** Returns a registry with the metrics of the Node.js process. */
export function createRegistry(): MetricsRegistry {
  const registry: MetricsRegistry = new Registry();
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  collectDefaultMetrics({ register: registry as never });
  return registry;
}

/** Returns this process's counters. Labels have few values: never an account, a key or an address. */
export function createInstruments(registry: MetricsRegistry): Metrics {
  const registers = [registry as never];
  const active = new Gauge({
    name: "platform_requests_active",
    help: "Calls of operations under way.",
    registers,
  });
  // OpenMetrics appends `_total` to the names of counters.
  const requests = new Counter({
    name: "platform_requests",
    help: "Answered calls of operations.",
    labelNames: ["operation", "transport", "status"],
    registers,
  });
  const durations = new Histogram({
    name: "platform_request_duration_seconds",
    help: "From a call's arrival in the pipeline to its answer.",
    labelNames: ["operation", "transport"],
    buckets: SECONDS,
    registers,
  });
  const rejections = new Counter({
    name: "platform_rejections",
    help: "Calls answered with an error, by its code.",
    labelNames: ["reason"],
    registers,
  });
  const batchSizes = new Histogram({
    name: "platform_batch_size",
    help: "Calls that share one statement of admission or of recording.",
    labelNames: ["batch"],
    buckets: SIZES,
    registers,
  });
  const batchWaits = new Histogram({
    name: "platform_batch_wait_seconds",
    help: "How long the first call of a batch has waited for its statement to be sent.",
    labelNames: ["batch"],
    buckets: SECONDS,
    registers,
  });
  const batchDurations = new Histogram({
    name: "platform_batch_duration_seconds",
    help: "How long the statement of a batch took.",
    labelNames: ["batch"],
    buckets: SECONDS,
    registers,
  });
  const runs = new Counter({
    name: "platform_run_executions",
    help: "Executions of runs by this worker, by how they ended: succeeded, failed, cancelled, expired, retry, suspended, left.",
    labelNames: ["service", "outcome"],
    registers,
  });
  const attempts = new Histogram({
    name: "platform_delivery_attempt_duration_seconds",
    help: "Attempts to deliver an event to a webhook: succeeded, refused (any other answer) or unanswered.",
    labelNames: ["outcome"],
    buckets: SECONDS,
    registers,
  });
  const jobs = new Histogram({
    name: "platform_job_duration_seconds",
    help: "Jobs by this worker: succeeded, or failed.",
    labelNames: ["task", "outcome"],
    buckets: LONG_SECONDS,
    registers,
  });
  return {
    callBegan: () => active.inc(),
    callEnded({ operation, transport }, { status, error }, ms) {
      active.dec();
      requests.inc({ operation: operation.operationId, transport, status });
      durations.observe({ operation: operation.operationId, transport }, ms / 1000);
      if (error) rejections.inc({ reason: error.code });
    },
    refused: (reason) => rejections.inc({ reason }),
    batch(batch, size, waitedMs) {
      batchSizes.observe({ batch }, size);
      batchWaits.observe({ batch }, waitedMs / 1000);
      return (ms) => batchDurations.observe({ batch }, ms / 1000);
    },
    runEnded: (service, outcome) => runs.inc({ service, outcome }),
    deliveryAttempted: (outcome, ms) => attempts.observe({ outcome }, ms / 1000),
    jobEnded: (task, outcome, ms) => jobs.observe({ task, outcome }, ms / 1000),
  };
}
