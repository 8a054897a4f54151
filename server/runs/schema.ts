import { z } from "zod";
import { exampleId, instant, sentInstant, typeId } from "#server/operation/fields.ts";
import { RunWait } from "#server/sent-events/schema.ts";
import { ConcurrencyKey, concurrency, debounce, priority, tags } from "./flow-schema.ts";
import { RUN_STATUSES } from "./statuses.ts";

/** The limits of a run; published in `/pricing`. */
export const RUN_LIMITS = {
  /** A run with this many timeline entries ends with `timeline_limit_exceeded`. */
  maximumTimelineEntries: 10_000,
  /** A run that keeps more bytes ends with `size_limit_exceeded`: each resumption reads its steps' outputs into memory. */
  maximumKeptBytes: 67_108_864,
} as const;

export const TimelineEntry = z
  .object({
    seq: z
      .int()
      .describe("The position in the run's timeline, from 1, without gaps unless the run was forgotten."),
    at: instant,
    type: z.enum(["state", "step", "retry", "log", "progress"]).describe("The kind of entry."),
    step: z.string().nullable().describe("The step that the entry belongs to; null for the run itself."),
    level: z.enum(["info", "warn", "error"]).describe("The severity."),
    message: z.string().describe("The message."),
    data: z.record(z.string(), z.unknown()).nullable().describe("Further data; a state entry has `status`."),
  })
  .meta({ id: "RunTimelineEntry", description: "An entry of a run's timeline." });

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
          "A title: the workflow's name, or the first line of the agent's task. Null for other operations, on the privacy tier `strict`, and after the tier has purged it or the run was forgotten.",
        examples: ["Greet everyone"],
      }),
    retryOf: typeId("run").nullable().describe("The run that this run retries."),
    parentId: typeId("run").nullable().describe("The run whose step created it."),
    workflow: z
      .object({
        id: typeId("workflow"),
        name: z
          .string()
          .meta({ description: "The name under which the workflow is stored.", examples: ["restock"] }),
        version: z.int().describe("The version, chosen when the run was created."),
      })
      .nullable()
      .describe("The stored workflow; null if the run executes none."),
    triggerId: typeId("trigger").nullable().describe("The trigger that started the run."),
    scheduledAt: instant
      .nullable()
      .describe("The time of the trigger's schedule for which the run was started."),
    projectId: typeId("project").nullable().describe("The project of the run."),
    endUser: z.string().nullable().describe("The end user of the run."),
    status: z.enum(RUN_STATUSES).meta({
      id: "RunStatus",
      description:
        "`queued` → `running` (`awaiting_approval` while people decide) → `succeeded`, `failed`, `cancelled` (by way of `cancelling`) or `expired`.",
    }),
    input: z
      .unknown()
      .describe("The input; null after the privacy tier has purged it or the run was forgotten."),
    result: z
      .unknown()
      .describe("The operation's result; null before it succeeds, and after the run was forgotten."),
    error: z
      .object({
        code: z.string().describe("The error code."),
        message: z
          .string()
          .describe(
            "The error message. On the privacy tier `strict` the meaning of the code, as a message can quote the input.",
          ),
        step: z.string().nullable().describe("The step that failed."),
      })
      .nullable()
      .describe("The error; null if the run has a result or has not ended."),
    progress: z.number().min(0).max(1).nullable().describe("The progress, from 0 to 1."),
    attempt: z.int().describe("The number of the current attempt; 0 before the first."),
    maxAttempts: z.int().describe("The maximum number of attempts."),
    priority: z
      .int()
      .describe("The priority, -10 to 10: each point counts as a minute of waiting for a worker."),
    concurrency: z.array(ConcurrencyKey).describe("The concurrency keys with which the run was created."),
    waitingFor: z
      .object({
        concurrencyKey: z
          .string()
          .meta({ description: "The key without a free slot.", examples: ["crm-api"] }),
      })
      .nullable()
      .describe("The reason why the run waits; null if it waits for nothing, or only for a free worker."),
    tags: z.array(z.string()).meta({ description: "The tags.", examples: [["import"]] }),
    timeline: z.array(TimelineEntry).describe("The timeline, in order."),
    artifactIds: z.array(typeId("artifact")).describe("The artifacts that the run produced."),
    keptBytes: z
      .int()
      .nullable()
      .describe(
        "The bytes of the stored data: input, result, results of steps, and timeline. Null for runs that ended before 2026-11-26.",
      ),
    forgottenAt: instant
      .nullable()
      .describe("The time when `runs.forget` deleted the stored data; its states remain."),
    chargedCredits: z.int().describe("The charged credits, those of its steps included."),
    createdAt: instant,
    startsAt: instant.nullable().describe("The time of the start, if the run was created with `startAt`."),
    startedAt: instant.nullable().describe("The time when a worker first started it."),
    finishedAt: instant.nullable().describe("The time when it ended."),
    waitsFor: z
      .array(RunWait)
      .nullable()
      .describe("The steps that wait for events or callbacks; null in lists and events."),
    watchUrl: z
      .string()
      .nullable()
      .describe(
        "An address at which a browser follows the run without a key: status, progress, messages and the text of models as server-sent events. Null in lists and events, and on the privacy tier `strict`.",
      ),
    watchUrlExpiresAt: instant.nullable().describe("The time when `watchUrl` expires."),
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
    output: z.unknown().describe("The step's result; null after the privacy tier has purged it."),
  })
  .meta({ id: "RunStep", description: "A completed step of a run." });

export const RunParams = z.object({ runId: typeId("run") });

export const RetryRun = z.object({
  fromStep: z
    .string()
    .max(500)
    .optional()
    .describe(
      "The step from which to repeat; the results of earlier steps are reused. By default all steps are repeated.",
    ),
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
  action: z.enum(["retry", "cancel", "forget"]).describe("The action on each run."),
  runIds: z
    .array(typeId("run"))
    .min(1, "Name at least one run.")
    .max(50, "At most 50 runs.")
    .refine((ids) => new Set(ids).size === ids.length, "Name each run once.")
    .describe("The runs, 1 to 50, each once."),
  retryFrom: z
    .enum(["start", "failedStep"])
    .default("start")
    .describe("Whether to retry each run from its start, or from the failed step if there is one."),
});

export const BulkResult = z
  .object({
    runId: typeId("run").describe("The named run."),
    ok: z.boolean().describe("Whether the run was retried, cancelled or forgotten."),
    newRunId: typeId("run").nullable().describe("The run that a retry has queued."),
    error: z
      .object({
        code: z.string().meta({ description: "The error code.", examples: ["state_conflict"] }),
        message: z.string().meta({
          description: "The error message.",
          examples: ["Run run_01jz4w1n9vf5ha3kqcx8y2r7te is queued. Cancel it first."],
        }),
        retryAfterSeconds: z
          .int()
          .nullable()
          .describe("The seconds after which another request may succeed; only if a limit refused it."),
      })
      .nullable()
      .describe("The error; null if the action succeeded."),
  })
  .meta({ id: "BulkResult", description: "The result for one of the runs." });

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
    .describe("The approval of exactly this input, if the operation requires one."),
  connectionId: z
    .string()
    .max(200)
    .optional()
    .describe("The connection whose credential the operation uses, if it uses one."),
  maxAttempts: z.int().min(1).max(10).default(1).describe("The maximum number of attempts."),
  expiresInSeconds: z
    .int()
    .min(RUN_SECONDS.least)
    .max(RUN_SECONDS.most)
    .default(86_400)
    .describe("The seconds after which the run expires, if it has not ended."),
  startAt: sentInstant
    .optional()
    .describe(
      "The time of the start, at most a year ahead; by default now. Until then the run is `queued`, reserves no credits and does not count as live; `expiresInSeconds` counts from this time.",
    ),
  tags: tags.optional(),
  priority: priority.default(0),
  concurrency: concurrency.optional(),
  debounce: debounce.optional(),
});
