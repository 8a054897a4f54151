import { z } from "zod";

/** A faulty field of a request, as errors name it. */
export const ErrorIssue = z
  .object({
    path: z.string().meta({
      description: "The location of the fault: `body.name`, `query.limit`, `header.x-file-name`.",
      examples: ["body.priority"],
    }),
    message: z
      .string()
      .meta({ description: "The fault of this field.", examples: ["Too big: expected number to be <=10"] }),
  })
  .meta({ id: "ErrorIssue", description: "A faulty field of a request." });
