import { z } from "zod";
import { keysOf } from "#server/base/keys-of.ts";
import { ERRORS } from "#server/operation/errors.ts";
import { keepsDirection, turnsDirection } from "#server/operation/fields.ts";

/** The longest wait: 30 days, as long as a run may take. */
export const MAXIMUM_SECONDS = 2_592_000;

export const stepId = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, "A letter, then at most 63 letters, digits, _ or -.")
  .meta({
    description:
      "Names the step within the workflow. Later expressions read its output as `steps.<id>` (with a hyphen in it: steps.`my-step`).",
    examples: ["greet"],
  });

export const text = z.string().max(20_000, "At most 20000 characters.");
/** A text that people read. */
export const shownText = text.refine(keepsDirection, turnsDirection);
export const value = z.unknown();
/** A lone expression, which becomes any value. */
export const expression = z.string().regex(/^\{%[\s\S]*%\}$/);

const codes = keysOf(ERRORS);

/** The codes of steps' failures beside those of operations. */
const RUN_CODES = [
  "approval_rejected",
  "cancelled",
  "depth_limit_exceeded",
  "expired",
  "size_limit_exceeded",
  "timeline_limit_exceeded",
] as const;

/** The codes of failures that a step may catch. */
export const caughtCodes = z.array(z.enum([...codes, ...RUN_CODES])).min(1, "At least one code.");

export const Retry = z
  .strictObject({
    maxAttempts: z.int().min(1).max(10).describe("How many attempts there are in all, 1 to 10."),
    backoffSeconds: z.number().min(0).max(3600).describe("How long to wait before the second attempt."),
    factor: z.number().min(1).max(10).describe("The factor by which each further wait is longer."),
    on: z
      .array(z.enum(codes))
      .optional()
      .describe(
        "The error codes that are attempted again. By default the retryable ones, and `service_failed`; `service_timeout` only for GET, PUT and DELETE.",
      ),
  })
  .meta({
    id: "WorkflowRetry",
    description: "How often, and when, a failed step is attempted again.",
    examples: [{ maxAttempts: 3, backoffSeconds: 2, factor: 2 }],
  });

/** The fields that every step may have. */
export const common = {
  id: stepId,
  retry: Retry.optional(),
  timeoutSeconds: z
    .number()
    .min(0.001)
    .max(MAXIMUM_SECONDS)
    .optional()
    .describe("How long an attempt may take; after that it fails with `service_timeout`."),
};
