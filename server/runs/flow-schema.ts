import { z } from "zod";

/** The limits of tags, priorities, concurrency keys and debounce keys; published in `/pricing`. */
const FLOW_LIMITS = {
  maximumTags: 10,
  maximumTagCharacters: 64,
  maximumPriority: 10,
  maximumKeys: 3,
  maximumKeyCharacters: 200,
  maximumSlots: 1000,
  maximumQuietSeconds: 86_400,
  maximumDebounceSeconds: 2_592_000,
} as const;

/** A tag, as sent. */
export const tag = z
  .string()
  .trim()
  .min(1, "A tag has at least one character.")
  .max(FLOW_LIMITS.maximumTagCharacters, `A tag has at most ${FLOW_LIMITS.maximumTagCharacters} characters.`)
  .meta({ examples: ["import"] });

export const tags = z
  .array(tag)
  .max(FLOW_LIMITS.maximumTags, `At most ${FLOW_LIMITS.maximumTags} tags.`)
  .refine((list) => new Set(list).size === list.length, "Has a tag twice.")
  .describe("Tags for filters, up to 10 of 1 to 64 characters.");

export const priority = z
  .int()
  .min(-FLOW_LIMITS.maximumPriority)
  .max(FLOW_LIMITS.maximumPriority)
  .describe(
    "The priority among the account's runs that wait for a worker, -10 to 10: each point counts as a minute of waiting. It does not delay other accounts' runs.",
  );

/** A concurrency or debounce key, as sent. */
const flowKey = z
  .string()
  .trim()
  .min(1, "A key has at least one character.")
  .max(FLOW_LIMITS.maximumKeyCharacters, `A key has at most ${FLOW_LIMITS.maximumKeyCharacters} characters.`)
  .meta({ description: "Your own text, 1 to 200 characters.", examples: ["crm-api"] });

const limit = z
  .int()
  .min(1)
  .max(FLOW_LIMITS.maximumSlots)
  .describe(
    "The maximum number of concurrent runs with this key, 1 to 1,000; the newest run's value counts.",
  );
const hold = z.enum(["running", "live"]).meta({
  id: "ConcurrencyHold",
  description:
    "`running`: the run occupies a slot while a worker executes it, not while it waits, e.g. for an event or an approval. `live`: it occupies the slot until it ends.",
});

export const ConcurrencyKey = z
  .object({ key: flowKey, limit, hold })
  .meta({ id: "ConcurrencyKey", description: "A limit on concurrent runs." });

export const concurrency = z
  .array(z.strictObject({ key: flowKey, limit, hold: hold.default("running") }))
  .max(FLOW_LIMITS.maximumKeys, `At most ${FLOW_LIMITS.maximumKeys} keys.`)
  .refine((list) => new Set(list.map(({ key }) => key)).size === list.length, "Has a key twice.")
  .describe(
    "Up to 3 keys, each of which limits the number of concurrent runs: the run is `queued` until all of them have a free slot. A key is shared by all services within account, project and end user.",
  );

export const debounce = z
  .strictObject({
    key: flowKey,
    seconds: z
      .int()
      .min(1)
      .max(FLOW_LIMITS.maximumQuietSeconds)
      .describe("The seconds without a further call after which the run starts, 1 to 86,400."),
    maxSeconds: z
      .int()
      .min(1)
      .max(FLOW_LIMITS.maximumDebounceSeconds)
      .optional()
      .describe("The seconds after which the run starts even if further calls arrive, at most 2,592,000."),
  })
  .refine(({ seconds, maxSeconds }) => maxSeconds === undefined || maxSeconds >= seconds, {
    path: ["maxSeconds"],
    message: "At least as long as seconds.",
  })
  .describe(
    "Starts one run for all calls with this key, after a quiet period. The last call replaces the earlier ones, their caller included. Calls with the same key belong together if operation, account, project and end user are the same.",
  );
