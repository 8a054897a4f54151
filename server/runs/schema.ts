import { z } from "zod";
import { exampleId, instant, sentInstant, typeId } from "#server/operation/fields.ts";
import { RunWait } from "#server/sent-events/schema.ts";
import { ConcurrencyKey, concurrency, debounce, priority, tags } from "./flow-schema.ts";
import { RUN_STATUSES } from "./statuses.ts";

/** The limits of a run; published in `/pricing`. */
export const RUN_LIMITS = {
  /** A run with this many timeline entries ends with `timeline_limit_exceeded`. */
  maximumTimelineEntries: 10_000,
} as const;

export const TimelineEntry = z
  .object({
    seq: z
      .int()
      .describe("Its place in the run's timeline, from 1, without gaps unless the run was forgotten."),
    at: instant,
    type: z.enum(["state", "step", "retry", "log", "progress"]).describe("What the entry is about."),
    step: z.string().nullable().describe("The step that it is about."),
    level: z.enum(["info", "warn", "error"]).describe("How grave it is."),
    message: z.string().describe("What happened."),
    data: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe("What belongs to it; a state entry has `status`."),
  })
  .meta({ id: "RunTimelineEntry", description: "One thing that happened in a run." });

export const Run = z
  .object({
    id: typeId("run"),
    serviceId: z.string().describe("The service whose operation runs."),
    operationId: z.string().describe("The operation that runs."),
    name: z
      .string()
      .nullable()
      .meta({
        description:
          "What it is about: the workflow's name, the first line of the agent's task. Null for other operations, on the privacy tier `strict` and once a tier has purged it, or it was forgotten.",
        examples: ["Greet everyone"],
      }),
    retryOf: typeId("run").nullable().describe("The run that it is a retry of."),
    parentId: typeId("run").nullable().describe("The run whose step created it."),
    workflow: z
      .object({
        id: typeId("workflow"),
        name: z.string().meta({ description: "The name it is stored under.", examples: ["restock"] }),
        version: z.int().describe("The version, chosen when the run was made."),
      })
      .nullable()
      .describe("The stored workflow that it runs; null for any other run."),
    triggerId: typeId("trigger").nullable().describe("The trigger that started it."),
    scheduledAt: instant.nullable().describe("The time of the trigger's schedule that it is for."),
    projectId: typeId("project").nullable().describe("The project that it belongs to."),
    endUser: z.string().nullable().describe("The end user that it acts for."),
    status: z.enum(RUN_STATUSES).meta({
      id: "RunStatus",
      description:
        "`queued` → `running` (`awaiting_approval` while people decide) → `succeeded`, `failed`, `cancelled` (by way of `cancelling`) or `expired`.",
    }),
    input: z.unknown().describe("The input; null once a privacy tier has purged it, or it was forgotten."),
    result: z
      .unknown()
      .describe("What the operation answered; null before it succeeds, and once it was forgotten."),
    error: z
      .object({
        code: z.string().describe("Why it ended without a result."),
        message: z.string().describe("The same in words."),
        step: z.string().nullable().describe("The step that failed."),
      })
      .nullable()
      .describe("Why it ended without a result."),
    progress: z.number().min(0).max(1).nullable().describe("How much is done, from 0 to 1."),
    attempt: z.int().describe("Which attempt this is; 0 before the first."),
    maxAttempts: z.int().describe("How many attempts there are at most."),
    priority: z.int().describe("How many minutes of waiting for a worker it was given, -10 to 10."),
    concurrency: z
      .array(ConcurrencyKey)
      .describe("The keys under which only so many runs go on at once, as it was created."),
    waitingFor: z
      .object({
        concurrencyKey: z.string().meta({ description: "The key that has no room.", examples: ["crm-api"] }),
      })
      .nullable()
      .describe("What keeps it from going on; null where nothing does but the want of a free worker."),
    tags: z.array(z.string()).meta({ description: "What it is found by.", examples: [["import"]] }),
    timeline: z.array(TimelineEntry).describe("Everything that happened in it, in order."),
    artifactIds: z.array(typeId("artifact")).describe("What it left behind as files."),
    keptBytes: z
      .int()
      .nullable()
      .describe(
        "The bytes of what is kept of it: input, result, what its steps answered, and timeline. Null for runs that ended before 2026-11-26.",
      ),
    forgottenAt: instant
      .nullable()
      .describe("When what was kept of it was deleted by `runs.forget`; its states are kept."),
    chargedCredits: z.int().describe("What it was charged, its steps included."),
    createdAt: instant,
    startsAt: instant.nullable().describe("When it starts, where it was created with `startAt`."),
    startedAt: instant.nullable().describe("When a worker first took it."),
    finishedAt: instant.nullable().describe("When it ended."),
    waitsFor: z
      .array(RunWait)
      .nullable()
      .describe("Its steps that wait for what others send; null in lists and events."),
    watchUrl: z
      .string()
      .nullable()
      .describe(
        "An address that shows a browser what happens in it, without a key: status, progress, messages and the text of models as server-sent events. Null in lists and events, and on the privacy tier `strict`.",
      ),
    watchUrlExpiresAt: instant.nullable().describe("Until when `watchUrl` works."),
  })
  .meta({
    id: "Run",
    description: "A durable run of a service's operation.",
    examples: [
      {
        id: exampleId("run"),
        serviceId: "managed-memory",
        operationId: "put",
        name: null,
        retryOf: null,
        parentId: null,
        workflow: null,
        triggerId: null,
        scheduledAt: null,
        projectId: null,
        endUser: null,
        status: "queued",
        input: { name: "greeting", content: "Hello, world." },
        result: null,
        error: null,
        progress: null,
        attempt: 0,
        maxAttempts: 1,
        priority: 0,
        concurrency: [{ key: "crm-api", limit: 5, hold: "running" }],
        waitingFor: { concurrencyKey: "crm-api" },
        tags: ["import"],
        timeline: [
          {
            seq: 1,
            at: "2027-01-31T12:00:00.000Z",
            type: "state",
            step: null,
            level: "info",
            message: "The run is queued.",
            data: { status: "queued" },
          },
        ],
        artifactIds: [],
        keptBytes: 47,
        forgottenAt: null,
        chargedCredits: 0,
        createdAt: "2027-01-31T12:00:00.000Z",
        startsAt: null,
        startedAt: null,
        finishedAt: null,
        waitsFor: [],
        watchUrl: "https://platform.example.com/watch/WyJydW4iXQ.c2lnbmF0dXJl",
        watchUrlExpiresAt: "2027-01-31T12:15:00.000Z",
      },
    ],
  });

export type Run = z.output<typeof Run>;

export const RunStep = z
  .object({
    name: z.string().meta({ description: "The step's name.", examples: ["steps.letter"] }),
    output: z.unknown().describe("What it answered; null once a privacy tier has purged it."),
  })
  .meta({ id: "RunStep", description: "A step that a run has done." });

export const RunParams = z.object({ runId: typeId("run") });

export const RetryRun = z.object({
  fromStep: z
    .string()
    .max(500)
    .optional()
    .describe("The step to go on from: what was done before it is kept. By default nothing is."),
  input: z
    .unknown()
    .optional()
    .describe("The operation's input in place of the first run's; not together with `fromStep`."),
  workflow: z
    .unknown()
    .optional()
    .describe(
      "A corrected workflow, with the first run's `input`. The steps before `fromStep` keep their id, type and order.",
    ),
  workflowVersion: z
    .int()
    .min(1)
    .max(2_147_483_647)
    .optional()
    .describe(
      "Another version of the stored workflow that the first run is of, with its `input`. The steps before `fromStep` keep their id, type and order.",
    ),
});

export const BulkRuns = z.object({
  action: z.enum(["retry", "cancel", "forget"]).describe("What to do with each run."),
  runIds: z
    .array(typeId("run"))
    .min(1, "Name at least one run.")
    .max(50, "At most 50 runs.")
    .refine((ids) => new Set(ids).size === ids.length, "Name each run once.")
    .describe("The runs, 1 to 50, each once."),
  retryFrom: z
    .enum(["start", "failedStep"])
    .default("start")
    .describe("Whether each is retried as a whole, or from the step that failed, where one did."),
});

export const BulkResult = z
  .object({
    runId: typeId("run").describe("The run that was named."),
    ok: z.boolean().describe("Whether it was retried, cancelled or forgotten."),
    newRunId: typeId("run").nullable().describe("The run that a retry has queued."),
    error: z
      .object({
        code: z.string().meta({ description: "Why it was not.", examples: ["state_conflict"] }),
        message: z.string().meta({
          description: "The same in words.",
          examples: ["Run run_01jz4w1n9vf5ha3kqcx8y2r7te is queued. Cancel it first."],
        }),
        retryAfterSeconds: z
          .int()
          .nullable()
          .describe("After how many seconds another request may succeed, where a limit refused it."),
      })
      .nullable()
      .describe("Why it was not; null where it was."),
  })
  .meta({ id: "BulkResult", description: "What has become of one run of many." });

/** The limits of a run's duration and of its start time ahead, in seconds. */
export const RUN_SECONDS = { least: 60, most: 2_592_000, latestStart: 31_536_000 } as const;

export const CreateRun = z.object({
  serviceId: z.string().min(1).max(100).describe("The service, e.g. `managed-memory`."),
  operationId: z.string().min(1).max(100).describe("The service's operation, e.g. `put`."),
  input: z.unknown().describe("The operation's input; `GET /capabilities/{serviceId}` has its schema."),
  approvalId: z
    .string()
    .max(200)
    .optional()
    .describe("The approval of exactly this input, where the operation needs one."),
  connectionId: z
    .string()
    .max(200)
    .optional()
    .describe("The connection whose credential the operation uses, where it uses one."),
  maxAttempts: z.int().min(1).max(10).default(1).describe("How many times it is tried at most."),
  expiresInSeconds: z
    .int()
    .min(RUN_SECONDS.least)
    .max(RUN_SECONDS.most)
    .default(86_400)
    .describe("After how many seconds it is given up, if it has not ended."),
  startAt: sentInstant
    .optional()
    .describe(
      "When it starts, at most a year ahead; by default at once. Until then it is `queued`, holds no credits and is no live run; `expiresInSeconds` count from then.",
    ),
  tags: tags.optional(),
  priority: priority.default(0),
  concurrency: concurrency.optional(),
  debounce: debounce.optional(),
});
