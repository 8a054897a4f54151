import { z } from "zod";
import { ErrorIssue } from "#server/operation/error-issue.ts";
import { Run } from "./schema.ts";

export const CreateRuns = z.object({
  items: z
    .array(z.record(z.string(), z.unknown()))
    .min(1, "Send at least one item.")
    .max(100, "At most 100 items.")
    .describe("The runs, 1 to 100, each in the form of the body of `POST /runs`."),
});

export const CreatedRun = z
  .object({
    ok: z.boolean().describe("Whether the run was created."),
    run: Run.nullable().describe("The run; null if it was refused."),
    debounced: z
      .boolean()
      .describe("Whether further calls with the same `debounce` key replace it until it starts."),
    error: z
      .object({
        code: z.string().meta({ description: "The error code.", examples: ["invalid_request"] }),
        message: z.string().meta({
          description: "The error message.",
          examples: ["body.priority: Too big: expected number to be <=10"],
        }),
        issues: z
          .array(ErrorIssue)
          .describe("The faulty fields; empty if the run was refused for another reason."),
        retryAfterSeconds: z
          .int()
          .nullable()
          .describe("The seconds after which another request may succeed; only if a limit refused the run."),
      })
      .nullable()
      .describe("The error; null if the run was created."),
  })
  .meta({ id: "CreatedRun", description: "The result for one run of a batch." });
