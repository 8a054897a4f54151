import { z } from "zod";
import { Run } from "./schema.ts";

export const CreateRuns = z.object({
  items: z
    .array(z.record(z.string(), z.unknown()))
    .min(1, "Send at least one item.")
    .max(100, "At most 100 items.")
    .describe("The runs, 1 to 100, each as `POST /runs` takes it."),
});

export const CreatedRun = z
  .object({
    ok: z.boolean().describe("Whether it was created."),
    run: Run.nullable().describe("The run; null where it was refused."),
    debounced: z.boolean().describe("Whether further calls under its `debounce` replace it until it starts."),
    error: z
      .object({
        code: z.string().meta({ description: "Why it was refused.", examples: ["invalid_request"] }),
        message: z.string().meta({
          description: "The same in words.",
          examples: ["body.priority: Too big: expected number to be <=10"],
        }),
        issues: z
          .array(
            z.object({
              path: z
                .string()
                .meta({ description: "The field, within the item.", examples: ["body.priority"] }),
              message: z.string().meta({
                description: "What is wrong with it.",
                examples: ["Too big: expected number to be <=10"],
              }),
            }),
          )
          .describe("The faulty fields; none where it was refused for something else."),
        retryAfterSeconds: z
          .int()
          .nullable()
          .describe("After how many seconds another request may succeed, where a limit refused it."),
      })
      .nullable()
      .describe("Why it was refused; null where it was created."),
  })
  .meta({ id: "CreatedRun", description: "What has become of one run of a batch." });
