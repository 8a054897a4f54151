import fc from "fast-check";
import { expect, test } from "vitest";
import { inputOf, newTrigger, valuesOf } from "#app/(console)/triggers/trigger-values.ts";
import { generatedBy } from "#server/testing/generated.ts";
import { PutTrigger, Start, Trigger } from "#server/triggers/schema.ts";

const start = {
  serviceId: "managed-workflows",
  operationId: "start",
  input: { name: "report", version: 2, input: { day: 1 } },
  connectionId: "conn_01jz4w1n9vf5ha3kqcx8y2r7te",
  maxAttempts: 3,
  expiresInSeconds: 600,
  tags: ["nightly", "crm"],
  priority: -4,
  concurrency: [
    { key: "crm-api", limit: 3, hold: "live" as const },
    { key: "user-7", limit: 1, hold: "running" as const },
  ],
  debounce: { key: "burst", seconds: 30, maxSeconds: 300 },
};
const where = [{ path: "data.usd", op: "gte" as const, value: "12.50" }];
const complete: Trigger = {
  id: "trg_01jz4w1n9vf5ha3kqcx8y2r7te",
  name: "nightly-report",
  on: { event: "order.paid", where },
  start,
  overlap: "allow",
  catchUpSeconds: 604_800,
  jitterSeconds: 0,
  pauseAfterFailures: 5,
  status: "active",
  pausedReason: null,
  nextAt: null,
  lastRunId: null,
  lastError: null,
  consecutiveFailures: 0,
  ownerKeyId: null,
  projectId: null,
  endUser: null,
  createdAt: "2027-01-31T12:00:00.000Z",
  updatedAt: "2027-01-31T12:00:00.000Z",
};

/** Returns the input of `put` that leaves a trigger unchanged. */
function sentFor({ name, on, start, overlap, catchUpSeconds, jitterSeconds, pauseAfterFailures }: Trigger) {
  const { connectionId, debounce, ...others } = start;
  const comesIn = "event" in on || "webhook" in on;
  return {
    name,
    on: "webhook" in on ? { ...on, webhook: sentWebhook(on.webhook) } : on,
    start: { ...others, ...(connectionId && { connectionId }), ...(debounce && { debounce }) },
    overlap,
    ...(!comesIn && { catchUpSeconds, jitterSeconds }),
    ...(pauseAfterFailures !== null && { pauseAfterFailures }),
  };
}

type Webhook = Extract<Trigger["on"], { webhook: object }>["webhook"];

function sentWebhook({ scheme, headerName, requestsPerMinute }: Webhook) {
  return { scheme, requestsPerMinute, ...(scheme === "hmac_sha256" && { headerName }) };
}

test("a complete trigger is unchanged after opening and saving it", () => {
  const sent = inputOf(valuesOf(complete));
  expect(sent).toEqual(sentFor(complete));
  expect(sent.start).toEqual(start);
  // A new field of the operation must be added to the form, or at least be kept by it.
  expect(Object.keys(sent.start).sort()).toEqual(Object.keys(Start.shape).sort());
  const nightly = inputOf(valuesOf({ ...complete, on: { cron: "0 2 * * *", timezone: "Europe/Berlin" } }));
  // The form itself adds the state that the change is based on.
  const { ifUpdatedAt: _, ...fields } = PutTrigger.shape;
  expect(Object.keys(nightly).sort()).toEqual(Object.keys(fields).sort());
});

test("every trigger from the API is unchanged after saving it", () => {
  const possible = generatedBy(Trigger).map((trigger): Trigger => {
    const { on, start } = trigger;
    if ("event" in on) return trigger;
    if (!("webhook" in on)) return { ...trigger, start: { ...start, debounce: null } };
    const { webhook } = on;
    const headerName = webhook.scheme === "hmac_sha256" ? "x-theirs" : null;
    return { ...trigger, on: { ...on, webhook: { ...webhook, headerName } } };
  });
  fc.assert(
    fc.property(possible, (trigger) => void expect(inputOf(valuesOf(trigger))).toEqual(sentFor(trigger))),
    { numRuns: 500 },
  );
});

test("a trigger that is changed to a schedule is no longer debounced", () => {
  const values = valuesOf(complete);
  expect(inputOf({ ...values, kind: "cron" }).start).not.toHaveProperty("debounce");
  expect(inputOf({ ...values, debounceKey: "" }).start).not.toHaveProperty("debounce");
});

test("a new trigger is valid once it has a name", () => {
  const input = inputOf({ ...newTrigger, name: "nightly" });
  expect(PutTrigger.safeParse(input).error).toBeUndefined();
});
