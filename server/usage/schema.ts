import { z } from "zod";
import { instant } from "#server/operation/fields.ts";

/** Groups by time, which are answered in its order. */
export const TIME_GROUPS = ["minute", "hour", "day"] as const;
export const USAGE_GROUPS = [...TIME_GROUPS, "operation", "service", "key", "project", "endUser"] as const;

const counts = {
  requests: z.number().int().describe("Authenticated requests."),
  errors: z.number().int().describe("Those that were refused or failed (4xx and 5xx), 429 not among them."),
  limited: z.number().int().describe("Those that were answered 429."),
  chargedCredits: z.number().int().describe("What they cost."),
};

const percentile = (words: string) => z.number().int().describe(`${words} of the durations, within 6.25 %.`);
const ofNone = (words: string) =>
  z.number().int().nullable().describe(`${words} of the durations; null where there was no request.`);

export const Usage = z
  .object({
    from: instant.describe("The first moment that is counted."),
    to: instant.describe("The first moment that is no longer counted."),
    totals: z
      .object({
        ...counts,
        p50Ms: ofNone("Median"),
        p95Ms: ofNone("95th percentile"),
        p99Ms: ofNone("99th percentile"),
      })
      .describe("Of the whole period."),
    groups: z
      .array(
        z.object({
          key: z
            .string()
            .nullable()
            .meta({
              description:
                "The UTC day, the moment that the hour or minute begins at, the operation, the service, the id of the key (or member, or credit token) or of the project, or the end user; null: in no project, for no end user.",
              examples: ["2027-01-31"],
            }),
          ...counts,
          p50Ms: percentile("Median"),
          p95Ms: percentile("95th percentile"),
          p99Ms: percentile("99th percentile"),
        }),
      )
      .describe("Those by time in its order, other groups by requests, the most first; at most 1,000."),
  })
  .meta({ id: "Usage", description: "Requests and charged credits over a period of time." });
