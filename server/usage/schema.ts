import { z } from "zod";
import { instant } from "#server/operation/fields.ts";

/** Groups by time, which are returned in time order. */
export const TIME_GROUPS = ["minute", "hour", "day"] as const;
export const USAGE_GROUPS = [
  ...TIME_GROUPS,
  "operation",
  "service",
  "key",
  "project",
  "endUser",
  "status",
] as const;

const counts = {
  requests: z.number().int().describe("The number of authenticated requests."),
  errors: z
    .number()
    .int()
    .describe("The number of requests that were refused or failed (4xx and 5xx, except 429)."),
  limited: z.number().int().describe("The number of requests refused by limits (429)."),
  chargedCredits: z
    .number()
    .int()
    .describe(
      "The charged credits. A charge after the response (of runs, sends, swaps and orders) is an operation of its own, such as `swaps.settle`, without a request.",
    ),
};

const percentile = (words: string) =>
  z
    .number()
    .int()
    .nullable()
    .describe(`${words} of the durations, within 6.25 %; null where there was no request.`);
const percentiles = {
  p50Ms: percentile("Median"),
  p95Ms: percentile("95th percentile"),
  p99Ms: percentile("99th percentile"),
};

export const Usage = z
  .object({
    from: instant.describe("The start of the period (inclusive)."),
    to: instant.describe("The end of the period (exclusive)."),
    totals: z.object({ ...counts, ...percentiles }).describe("The totals of the whole period."),
    groups: z
      .array(
        z.object({
          key: z
            .string()
            .nullable()
            .meta({
              description:
                "The group: a UTC day, the start of the hour or minute, an operation, a service, the id of a key (or member, or credit token) or of a project, an end user, or an HTTP status; null for calls in no project, for no end user, or counted before statuses were.",
              examples: ["2027-01-31"],
            }),
          ...counts,
          ...percentiles,
        }),
      )
      .describe("Groups by time in time order, other groups by requests, largest first; at most 1,000."),
    truncated: z.boolean().meta({
      description: "Whether there are more groups; only the first 1,000 are returned.",
      examples: [false],
    }),
  })
  .meta({ id: "Usage", description: "Requests and charged credits over a period of time." });
