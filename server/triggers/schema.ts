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
    "What becomes of a time, or of an event, at which a run of it has not ended: it is passed over (`skip`), started once that has ended (`queue_one`: one waits, others are passed over), started beside it (`allow`), or that is cancelled and it is started then (`cancel_previous`).",
  );
const catchUpSeconds = z
  .int()
  .min(0)
  .max(2_592_000, "At most 2,592,000 seconds, 30 days.")
  .describe(
    "How late a run may be started, where nothing could be started at its time; later ones are missed. An event waits for seven days.",
  );
const jitterSeconds = z
  .int()
  .min(0)
  .max(3600, "At most 3,600 seconds, an hour.")
  .describe("Starts each run by up to so many seconds later, another number for each.");
const pauseAfterFailures = z
  .int()
  .min(1)
  .max(1000)
  .describe("After how many runs in a row that failed, or could not be started, it is paused.");

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
    connectionId: z.string().nullable().describe("The connection that it uses."),
    maxAttempts: z.int().describe("How many times each run is tried at most."),
    expiresInSeconds: z.int().describe("After how many seconds a run is given up."),
    tags: z.array(z.string()).meta({ description: "What each run is found by.", examples: [["nightly"]] }),
    priority: z.int().describe("How many minutes of waiting for a worker each run is given, -10 to 10."),
    concurrency: z.array(ConcurrencyKey).describe("The keys under which only so many runs go on at once."),
    debounce: shape.debounce
      .unwrap()
      .nullable()
      .describe(
        "How long no further event may come before one run is started for all; null: each starts one.",
      ),
  })
  .describe("What it starts.");

const failureOf = (description: string) =>
  z
    .object({
      code: z.string().meta({ description: "Why not.", examples: ["service_not_allowed"] }),
      message: z.string().describe("The same in words."),
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
    status: z.enum(TRIGGER_STATUSES).describe("`ended`: no time follows any more."),
    pausedReason: z
      .enum(PAUSED_REASONS)
      .nullable()
      .describe(
        "Why it is paused: by hand, because the key or the member who put it counts no more, after as many failures as it says, or for want of credits, until there are some.",
      ),
    nextAt: instant
      .nullable()
      .describe("The next time of its schedule; null while it is paused, and at its end."),
    lastRunId: typeId("run").nullable().describe("The run that it started last."),
    lastError: failureOf("Why the last run could not be started.")
      .extend({ at: instant.describe("When.") })
      .nullable()
      .describe("Why no run could be started; null once one was."),
    consecutiveFailures: z
      .int()
      .describe("How many runs have failed, or were not started, since one succeeded."),
    ownerKeyId: typeId("apiKey")
      .nullable()
      .describe(
        "The key that put it last: its runs are created as that key's, and only it, the keys above it and members may change the trigger. Null: a member put it, and only members may.",
      ),
    projectId: typeId("project").nullable().describe("The project that it belongs to."),
    endUser: z.string().nullable().describe("The end user that it belongs to."),
    createdAt: instant,
    updatedAt: instant.describe("When it was last put, paused or resumed."),
  })
  .meta({
    id: "Trigger",
    description: "What starts runs by itself.",
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
      "The time of the schedule; of a start by hand when it was asked for, of an event or a delivery when it came or was replayed.",
    ),
    kind: z
      .enum(["schedule", "event", "fire", "backfill"])
      .describe("What it was started by; `event` also for a delivery of its webhook."),
    state: z
      .enum(["waiting", "started", "skipped", "missed", "refused"])
      .describe(
        "What has become of it: `skipped` by `overlap` or a pause, `missed` where it could not be started in time, `refused` where its run was.",
      ),
    runId: typeId("run").nullable().describe("The run that was started."),
    eventId: typeId("sentEvent").nullable().describe("The event, or the delivery, that has come."),
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
  start: Start.strict().describe("The run that it creates, as `POST /runs` takes it."),
  overlap: overlap.optional().describe(`${overlap.description} By default \`skip\`, of events \`allow\`.`),
  catchUpSeconds: catchUpSeconds.optional().describe(`${catchUpSeconds.description} By default 3,600.`),
  jitterSeconds: jitterSeconds.optional().describe(`${jitterSeconds.description} By default 0.`),
  pauseAfterFailures: pauseAfterFailures.optional(),
});
export type PutTrigger = z.output<typeof PutTrigger>;

export const TriggerReference = z.strictObject({ name: triggerName });

export const TriggerParams = z.object({ triggerId: typeId("trigger") });

export const ListTriggers = z.strictObject({
  status: z.enum(TRIGGER_STATUSES).optional().describe("Only triggers with this status."),
  limit: z.int().min(1).max(100).default(25).describe("How many to answer at most, 1 to 100."),
  cursor: z.string().max(500).optional().describe("`nextCursor` of the page before."),
});

export const BackfillTrigger = z.strictObject({
  name: triggerName,
  from: sentInstant.describe("The first moment of the time to make up for."),
  to: sentInstant.describe("The moment after it, not in the future."),
});

export const ReplayEvents = z.strictObject({
  name: triggerName,
  eventId: typeId("sentEvent").optional().describe("Only this one; by default all that have started no run."),
});

export const RotateAddress = z.strictObject({
  name: triggerName,
  overlapSeconds: z
    .int()
    .min(0)
    .max(INBOUND_LIMITS.maximumOverlapSeconds, "At most 604,800 seconds, seven days.")
    .default(86_400)
    .describe(
      "For how long deliveries are taken at the address before too: a day by default, at most seven.",
    ),
});
