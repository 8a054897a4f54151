import {
  type FlowValues,
  flowFieldOf,
  flowInputOf,
  flowValuesOf,
  newFlow,
} from "#app/(console)/triggers/flow-values.ts";
import type { Trigger } from "#app/(console)/triggers/queries.ts";

/** A trigger's sources of runs, as the form offers them. */
export type Kind = "cron" | "every" | "at" | "event" | "webhook";

/** True if events or deliveries start the runs: then no times are skipped or caught up on. */
export const comesIn = (kind: Kind) => kind === "event" || kind === "webhook";

/** A trigger as edited. */
export interface TriggerValues extends FlowValues {
  name: string;
  kind: Kind;
  cron: string;
  timezone: string;
  everyMinutes: number | null;
  at: string | null;
  event: string;
  scheme: Extract<Trigger["on"], { webhook: object }>["webhook"]["scheme"];
  /** Empty to keep the stored secret. */
  secret: string;
  headerName: string;
  requestsPerMinute: number | null;
  /** The conditions on the event or the delivery. */
  where: unknown;
  serviceId: string;
  operationId: string;
  input: unknown;
  connectionId: string | null;
  maxAttempts: number | null;
  expiresInSeconds: number;
  overlap: Trigger["overlap"];
  catchUpSeconds: number | null;
  jitterSeconds: number | null;
  pauseAfterFailures: number | null;
}

export const newTrigger: TriggerValues = {
  ...newFlow,
  name: "",
  kind: "cron",
  cron: "0 9 * * MON-FRI",
  timezone: "UTC",
  everyMinutes: 60,
  at: null,
  event: "",
  scheme: "standard",
  secret: "",
  headerName: "x-signature",
  requestsPerMinute: 600,
  where: undefined,
  serviceId: "managed-workflows",
  operationId: "start",
  input: { name: "" },
  connectionId: null,
  maxAttempts: 1,
  expiresInSeconds: 86_400,
  overlap: "skip",
  catchUpSeconds: 3600,
  jitterSeconds: 0,
  pauseAfterFailures: null,
};

/** Returns the editable values of a trigger. */
export function valuesOf({ on, start, ...trigger }: Trigger): TriggerValues {
  return {
    ...newTrigger,
    serviceId: start.serviceId,
    operationId: start.operationId,
    input: start.input,
    connectionId: start.connectionId,
    maxAttempts: start.maxAttempts,
    expiresInSeconds: start.expiresInSeconds,
    ...flowValuesOf(start),
    name: trigger.name,
    kind: kindOf(on),
    ...("cron" in on && { cron: on.cron, timezone: on.timezone }),
    ...("everySeconds" in on && { everyMinutes: on.everySeconds / 60 }),
    ...("at" in on && { at: on.at }),
    ...("event" in on && { event: on.event, where: on.where }),
    ...("webhook" in on && { ...webhookValuesOf(on.webhook), where: on.where }),
    overlap: trigger.overlap,
    catchUpSeconds: trigger.catchUpSeconds,
    jitterSeconds: trigger.jitterSeconds,
    pauseAfterFailures: trigger.pauseAfterFailures,
  };
}

function kindOf(on: Trigger["on"]): Kind {
  if ("everySeconds" in on) return "every";
  return (["cron", "at", "event", "webhook"] as const).find((kind) => kind in on) ?? "cron";
}

function webhookValuesOf({
  scheme,
  headerName,
  requestsPerMinute,
}: Pick<TriggerValues, "scheme"> & { headerName: string | null; requestsPerMinute: number }) {
  return { scheme, requestsPerMinute, headerName: headerName ?? newTrigger.headerName };
}

function webhookOf({ scheme, secret, headerName, requestsPerMinute }: TriggerValues) {
  return {
    scheme,
    ...(scheme !== "none" && secret !== "" && { secret }),
    ...(scheme === "hmac_sha256" && headerName !== "" && { headerName }),
    ...(requestsPerMinute !== null && { requestsPerMinute }),
  };
}

/** Returns the input of `put`, which replaces a trigger, so it includes the fields that the form does not show. */
export function inputOf(values: TriggerValues) {
  const { name, kind, cron, timezone, everyMinutes, at, event, where, overlap } = values;
  const on = {
    cron: { cron, timezone },
    every: { everySeconds: everyMinutes === null ? undefined : Math.round(everyMinutes * 60) },
    at: { at: at ?? undefined },
    event: { event, where },
    webhook: { webhook: webhookOf(values), where },
  }[kind];
  const { serviceId, operationId, input, connectionId, maxAttempts, expiresInSeconds } = values;
  return {
    name,
    on,
    start: {
      serviceId,
      operationId,
      input,
      ...(connectionId && { connectionId }),
      maxAttempts: maxAttempts ?? 1,
      expiresInSeconds,
      ...flowInputOf(values, comesIn(kind)),
    },
    overlap,
    ...(!comesIn(kind) && {
      catchUpSeconds: values.catchUpSeconds ?? 0,
      jitterSeconds: values.jitterSeconds ?? 0,
    }),
    ...(values.pauseAfterFailures !== null && { pauseAfterFailures: values.pauseAfterFailures }),
  };
}

/** Returns the form's field of a fault in the operation's input: `input.on.webhook.secret` is at `secret`. */
export function fieldOf(path: string): string {
  const place = path.replace(/^input\.((on|start)\.(webhook\.)?)?/, "");
  return place === "everySeconds" ? "everyMinutes" : flowFieldOf(place);
}
