import { z } from "zod";
import { instant } from "#server/operation/fields.ts";

export const USAGE_GROUPS = ["day", "operation", "service", "key", "endUser"] as const;

const counts = {
  requests: z.number().int().describe("Authenticated requests."),
  errors: z.number().int().describe("Those that were refused or failed (4xx and 5xx), 429 not among them."),
  limited: z.number().int().describe("Those that were answered 429."),
  chargedCredits: z.number().int().describe("What they cost."),
};

export const Usage = z
  .object({
    from: instant.describe("The first moment that is counted."),
    to: instant.describe("The first moment that is no longer counted."),
    totals: z.object(counts).describe("Of the whole period."),
    groups: z
      .array(
        z.object({
          key: z
            .string()
            .nullable()
            .meta({
              description:
                "The UTC day, the operation, the service, the id of the key (or member, or credit token) or the end user; null: for no end user.",
              examples: ["2027-01-31"],
            }),
          ...counts,
          p50Ms: z.number().int().describe("Median duration, within 6.25 %."),
          p95Ms: z.number().int().describe("95th percentile of the durations, within 6.25 %."),
        }),
      )
      .describe("Days in their order, other groups by requests, the most first; at most 1,000."),
  })
  .meta({ id: "Usage", description: "Requests and charged credits over a period of time." });
