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
  .describe("Words to find it by, up to 10 of 1 to 64 characters.");

export const priority = z
  .int()
  .min(-FLOW_LIMITS.maximumPriority)
  .max(FLOW_LIMITS.maximumPriority)
  .describe(
    "Which of the account's runs that wait for a worker are taken first, -10 to 10: each point counts as a minute of waiting. Other accounts' runs wait no longer for it.",
  );

/** A concurrency or debounce key, as sent. */
const flowKey = z
  .string()
  .trim()
  .min(1, "A key has at least one character.")
  .max(FLOW_LIMITS.maximumKeyCharacters, `A key has at most ${FLOW_LIMITS.maximumKeyCharacters} characters.`)
  .meta({ description: "Any text of your own, 1 to 200 characters.", examples: ["crm-api"] });

const limit = z
  .int()
  .min(1)
  .max(FLOW_LIMITS.maximumSlots)
  .describe(
    "How many runs of this key go on at once, 1 to 1,000; of several, what the newest run says counts.",
  );
const hold = z.enum(["running", "live"]).meta({
  id: "ConcurrencyHold",
  description:
    "Whether it gives way to others while it waits, e.g. for time, an event or an approval (`running`), or to none before its end (`live`).",
});

export const ConcurrencyKey = z
  .object({ key: flowKey, limit, hold })
  .meta({ id: "ConcurrencyKey", description: "A bound on how many runs go on at once." });

export const concurrency = z
  .array(z.strictObject({ key: flowKey, limit, hold: hold.default("running") }))
  .max(FLOW_LIMITS.maximumKeys, `At most ${FLOW_LIMITS.maximumKeys} keys.`)
  .refine((list) => new Set(list.map(({ key }) => key)).size === list.length, "Has a key twice.")
  .describe(
    "Up to 3 keys, under each of which only so many runs go on at once: the run is `queued` until all of them have room. A key is shared by all services within account, project and end user.",
  );

export const debounce = z
  .strictObject({
    key: flowKey,
    seconds: z
      .int()
      .min(1)
      .max(FLOW_LIMITS.maximumQuietSeconds)
      .describe("How long no further call may come before the run starts, 1 to 86,400."),
    maxSeconds: z
      .int()
      .min(1)
      .max(FLOW_LIMITS.maximumDebounceSeconds)
      .optional()
      .describe("After how many seconds, at most 2,592,000, it starts though calls go on coming."),
  })
  .refine(({ seconds, maxSeconds }) => maxSeconds === undefined || maxSeconds >= seconds, {
    path: ["maxSeconds"],
    message: "At least as long as seconds.",
  })
  .describe(
    "Starts one run for all calls under this key, after a quiet period: what the last of them says replaces what was said before, its caller too. Calls belong together that are of one operation, account, project and end user.",
  );
