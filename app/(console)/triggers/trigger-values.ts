import type { Trigger } from "#app/(console)/triggers/queries.ts";

/** How a trigger's times are given. */
export type Kind = "cron" | "every" | "at";

/** A trigger as it is edited. */
export interface TriggerValues {
  name: string;
  kind: Kind;
  cron: string;
  timezone: string;
  everyMinutes: number | null;
  at: string | null;
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
  name: "",
  kind: "cron",
  cron: "0 9 * * MON-FRI",
  timezone: "UTC",
  everyMinutes: 60,
  at: null,
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

/** What of a trigger can be edited. */
export function valuesOf({ on, start, ...trigger }: Trigger): TriggerValues {
  return {
    ...newTrigger,
    ...start,
    name: trigger.name,
    kind: "cron" in on ? "cron" : "at" in on ? "at" : "every",
    ...("cron" in on && { cron: on.cron, timezone: on.timezone }),
    ...("everySeconds" in on && { everyMinutes: on.everySeconds / 60 }),
    ...("at" in on && { at: on.at }),
    overlap: trigger.overlap,
    catchUpSeconds: trigger.catchUpSeconds,
    jitterSeconds: trigger.jitterSeconds,
    pauseAfterFailures: trigger.pauseAfterFailures,
  };
}

/** What `put` takes. */
export function inputOf(values: TriggerValues) {
  const { name, kind, cron, timezone, everyMinutes, at, overlap } = values;
  const on = {
    cron: { cron, timezone },
    every: { everySeconds: everyMinutes === null ? undefined : Math.round(everyMinutes * 60) },
    at: { at: at ?? undefined },
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
    },
    overlap,
    catchUpSeconds: values.catchUpSeconds ?? 0,
    jitterSeconds: values.jitterSeconds ?? 0,
    ...(values.pauseAfterFailures !== null && { pauseAfterFailures: values.pauseAfterFailures }),
  };
}
