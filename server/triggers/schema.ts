import { z } from "zod";
import { exampleId, instant, sentInstant, typeId } from "#server/operation/fields.ts";
import { ConcurrencyKey } from "#server/runs/flow-schema.ts";
import { CreateRun } from "#server/runs/schema.ts";
import { INBOUND_LIMITS } from "./inbound/schema.ts";
import { SentSource, Source } from "./source/schema.ts";
import { TRIGGER_STATUSES } from "./statuses.ts";

/** The limits of triggers. */
export const TRIGGER_LIMITS = {
  /** Of one account. */
  maximumTriggers: 10_000,
  /** Triggers of one account, project and end user on one event. */
  maximumPerEvent: 20,
  /** The times of one backfill. */
  maximumBackfill: 1000,
  /** The events of one replay. */
  maximumReplay: 1000,
  /** How long an event waits before it is missed: seven days. */
  eventSeconds: 604_800,
} as const;

/** The maximum numbers of next times and of past ticks in a response. */
export const SHOWN_TIMES = 5;
export const SHOWN_TICKS = 50;

export const OVERLAPS = ["skip", "queue_one", "allow", "cancel_previous"] as const;
const PAUSED_REASONS = ["manual", "owner_ended", "failing", "no_credits"] as const;

export const triggerName = z
  .string()
  .max(100, "At most 100 characters.")
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "Lower-case letters and digits, with single hyphens between them.")
  .meta({ description: "The trigger's name.", examples: ["nightly-report"] });

const overlap = z
  .enum(OVERLAPS)
  .describe(
    "The policy for a time or event at which a run of the trigger has not ended. `skip`: no run is started. `queue_one`: one run is started after the end; further times are skipped. `allow`: a run is started at once. `cancel_previous`: the run is cancelled, and then another one is started.",
  );
const catchUpSeconds = z
  .int()
  .min(0)
  .max(2_592_000, "At most 2,592,000 seconds, 30 days.")
  .describe(
    "The maximum delay of a start, in seconds, if the run could not be started at its time; later ones are missed. An event waits for seven days.",
  );
const jitterSeconds = z
  .int()
  .min(0)
  .max(3600, "At most 3,600 seconds, an hour.")
  .describe("The maximum random delay of each start, in seconds.");
const pauseAfterFailures = z
  .int()
  .min(1)
  .max(1000)
  .describe(
    "The number of consecutive runs that failed or could not be started after which the trigger is paused.",
  );

export const Start = CreateRun.pick({
  serviceId: true,
  operationId: true,
  input: true,
  connectionId: true,
  maxAttempts: true,
  expiresInSeconds: true,
  tags: true,
  priority: true,
  concurrency: true,
  debounce: true,
});

const { shape } = Start;

/** The body with which runs are created. */
const StoredStart = z
  .object({
    serviceId: shape.serviceId,
    operationId: shape.operationId,
    input: z
      .unknown()
      .describe(
        "The operation's input. A workflow's own gets `scheduledAt` beside it, or `event`; expressions read `event` too.",
      ),
    connectionId: z.string().nullable().describe("The connection that the runs use."),
    maxAttempts: z.int().describe("The maximum number of attempts of each run."),
    expiresInSeconds: z.int().describe("The seconds after which a run expires."),
    tags: z.array(z.string()).meta({ description: "The tags of each run.", examples: [["nightly"]] }),
    priority: z
      .int()
      .describe(
        "The priority of each run, -10 to 10: each point counts as a minute of waiting for a worker.",
      ),
    concurrency: z.array(ConcurrencyKey).describe("The concurrency keys of each run."),
    debounce: shape.debounce
      .unwrap()
      .nullable()
      .describe(
        "The quiet period after which one run is started for all events; null if each event starts one.",
      ),
  })
  .describe("The run that the trigger starts.");

const failureOf = (description: string) =>
  z
    .object({
      code: z.string().meta({ description: "The error code.", examples: ["service_not_allowed"] }),
      message: z.string().describe("The error message."),
    })
    .meta({ description });

export const Trigger = z
  .object({
    id: typeId("trigger"),
    name: triggerName,
    on: Source,
    start: StoredStart,
    overlap,
    catchUpSeconds,
    jitterSeconds,
    pauseAfterFailures: pauseAfterFailures.nullable(),
    status: z.enum(TRIGGER_STATUSES).describe("The status. `ended`: the schedule has no further time."),
    pausedReason: z
      .enum(PAUSED_REASONS)
      .nullable()
      .describe(
        "The reason for the pause: by hand; because the owner, a key or member, has ended; after the configured number of failures; or because credits are missing, until there are some.",
      ),
    nextAt: instant
      .nullable()
      .describe("The next time of the schedule; null while the trigger is paused, and after the last time."),
    lastRunId: typeId("run").nullable().describe("The last started run."),
    lastError: failureOf("Why the last run could not be started.")
      .extend({ at: instant.describe("The time of the error.") })
      .nullable()
      .describe("The last error in starting a run; null after a successful start."),
    consecutiveFailures: z
      .int()
      .describe("The number of runs that failed or were not started since the last success."),
    ownerKeyId: typeId("apiKey")
      .nullable()
      .describe(
        "The key that put the trigger last: runs are created on its behalf, and only this key, its ancestors and members may change the trigger. Null if a member put it; then only members may.",
      ),
    projectId: typeId("project").nullable().describe("The project of the trigger."),
    endUser: z.string().nullable().describe("The end user of the trigger."),
    createdAt: instant,
    updatedAt: instant.describe("The time when it was last put, paused or resumed."),
  })
  .meta({
    id: "Trigger",
    description: "A trigger, which starts runs on a schedule, or at events or deliveries.",
    examples: [
      {
        id: exampleId("trigger"),
        name: "nightly-report",
        on: { cron: "30 2 * * *", timezone: "Europe/Berlin" },
        start: {
          serviceId: "managed-workflows",
          operationId: "start",
          input: { name: "report" },
          connectionId: null,
          maxAttempts: 1,
          expiresInSeconds: 86_400,
          tags: ["nightly"],
          priority: 0,
          concurrency: [],
          debounce: null,
        },
        overlap: "skip",
        catchUpSeconds: 3600,
        jitterSeconds: 0,
        pauseAfterFailures: null,
        status: "active",
        pausedReason: null,
        nextAt: "2027-02-01T01:30:00.000Z",
        lastRunId: exampleId("run"),
        lastError: null,
        consecutiveFailures: 0,
        ownerKeyId: exampleId("apiKey"),
        projectId: null,
        endUser: null,
        createdAt: "2027-01-31T12:00:00.000Z",
        updatedAt: "2027-01-31T12:00:00.000Z",
      },
    ],
  });
export type Trigger = z.output<typeof Trigger>;

export const TriggerTick = z
  .object({
    scheduledAt: instant.describe(
      "The time of the schedule; for a start by hand, the time of the request; for an event or delivery, the time of its arrival or replay.",
    ),
    kind: z
      .enum(["schedule", "event", "fire", "backfill"])
      .describe("The cause; `event` includes deliveries to the trigger's webhook."),
    state: z
      .enum(["waiting", "started", "skipped", "missed", "refused"])
      .describe(
        "The state: `skipped` by `overlap` or a pause, `missed` if the run could not be started in time, `refused` if its run was refused.",
      ),
    runId: typeId("run").nullable().describe("The started run."),
    eventId: typeId("sentEvent").nullable().describe("The event or delivery."),
    error: failureOf("Why none was started, or not yet.").nullable(),
  })
  .meta({
    id: "TriggerTick",
    description: "A time, an event or a delivery at which a trigger starts a run.",
  });
export type TriggerTick = z.output<typeof TriggerTick>;

/** A trigger with its next times and its past ticks. */
export const TriggerContent = z.object({
  trigger: Trigger,
  nextTimes: z.array(instant).describe(`The next times of its schedule, at most ${SHOWN_TIMES}.`),
  ticks: z
    .array(TriggerTick)
    .describe(`The newest times, at most ${SHOWN_TICKS}; they are kept for 30 days.`),
});

export const PutTrigger = z.strictObject({
  name: triggerName,
  on: SentSource,
  start: Start.strict().describe("The run to create, in the form of the body of `POST /runs`."),
  overlap: overlap.optional().describe(`${overlap.description} By default \`skip\`, of events \`allow\`.`),
  catchUpSeconds: catchUpSeconds.optional().describe(`${catchUpSeconds.description} By default 3,600.`),
  jitterSeconds: jitterSeconds.optional().describe(`${jitterSeconds.description} By default 0.`),
  pauseAfterFailures: pauseAfterFailures.optional(),
  ifUpdatedAt: sentInstant
    .nullable()
    .optional()
    .describe(
      "The `updatedAt` of the trigger that the change is based on; 409 if it has another one. Null if there must be no trigger of this name.",
    ),
});
export type PutTrigger = z.output<typeof PutTrigger>;

export const TriggerReference = z.strictObject({ name: triggerName });

export const TriggerParams = z.object({ triggerId: typeId("trigger") });

export const ListTriggers = z.strictObject({
  status: z.enum(TRIGGER_STATUSES).optional().describe("Only triggers with this status."),
  limit: z.int().min(1).max(100).default(25).describe("The maximum number of items, 1 to 100."),
  cursor: z.string().max(500).optional().describe("The `nextCursor` of the previous page."),
});

export const BackfillTrigger = z.strictObject({
  name: triggerName,
  from: sentInstant.describe("The beginning of the period to make up for."),
  to: sentInstant.describe("The end of the period, exclusive; not in the future."),
});

export const ReplayEvents = z.strictObject({
  name: triggerName,
  eventId: typeId("sentEvent")
    .optional()
    .describe("Only this event or delivery; by default all that have started no run."),
});

export const RotateAddress = z.strictObject({
  name: triggerName,
  overlapSeconds: z
    .int()
    .min(0)
    .max(INBOUND_LIMITS.maximumOverlapSeconds, "At most 604,800 seconds, seven days.")
    .default(86_400)
    .describe(
      "The seconds for which the previous address accepts deliveries too: a day by default, at most seven.",
    ),
});
