import { z } from "zod";
import { exampleId, instant, metadata, shortText, typeId } from "#server/operation/fields.ts";

/** What a memory may hold; published in `/pricing`. */
export const MEMORY_LIMITS = {
  maximumContentBytes: 262_144,
  maximumTags: 50,
  maximumTagCharacters: 100,
  maximumQueryCharacters: 1000,
  /** `list` and `search` answer no further entry that would pass this much content. */
  maximumAnswerBytes: 1_048_576,
} as const;

const name = shortText.describe("Names the memory within its account, project and end user.");
const tag = z
  .string()
  .min(1)
  .max(
    MEMORY_LIMITS.maximumTagCharacters,
    `A tag has at most ${MEMORY_LIMITS.maximumTagCharacters} characters.`,
  );

export const Memory = z
  .object({
    id: typeId("memory"),
    name: z.string().nullable().describe("Its name, where it has one."),
    content: z.string().describe("The text that was put."),
    tags: z.array(z.string()).describe("Its tags, in the order they were put."),
    metadata,
    projectId: typeId("project").nullable(),
    endUser: z.string().nullable().describe("The customer's own id of the end user that it belongs to."),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({
    id: "Memory",
    description: "A text that is kept and found again.",
    examples: [
      {
        id: exampleId("memory"),
        name: "greeting",
        content: "Hello, world.",
        tags: ["first"],
        metadata: {},
        projectId: null,
        endUser: null,
        createdAt: "2027-01-31T12:00:00.000Z",
        updatedAt: "2027-01-31T12:00:00.000Z",
      },
    ],
  });

export const FoundMemory = Memory.extend({
  score: z.number().describe("How well it fits, between 0 and 1; only its order means something."),
  highlight: z
    .string()
    .describe("An excerpt as HTML: what matched stands in `<mark>`, everything else is escaped."),
}).meta({ id: "FoundMemory", description: "A memory that a search found." });

export const tags = z
  .array(tag)
  .max(MEMORY_LIMITS.maximumTags, `At most ${MEMORY_LIMITS.maximumTags} tags.`)
  .refine((list) => new Set(list).size === list.length, "Has a tag twice.");

export const PutMemory = z.strictObject({
  content: z
    .string()
    .min(1, "Send at least one character.")
    .refine(
      (text) => new TextEncoder().encode(text).length <= MEMORY_LIMITS.maximumContentBytes,
      `At most ${MEMORY_LIMITS.maximumContentBytes} bytes as UTF-8.`,
    )
    .describe("The text to keep, up to 256 KB."),
  name: name.optional().describe("A name replaces the memory that has it; none makes a new one."),
  tags: tags.optional().describe("To filter by."),
  metadata: metadata.optional(),
});

const byId = z.strictObject({ id: z.string().describe("Id of the memory.") });
const byName = z.strictObject({ name });
/** Which memory is meant: one of the two. */
export const MemoryReference = z.union([byId, byName], "Send either id or name.");

export const ListMemories = z.strictObject({
  tags: tags.optional().describe("Only memories that have all of these."),
  limit: z.int().min(1).max(100).default(25).describe("How many to answer at most, 1 to 100."),
  cursor: z.string().max(500).optional().describe("`nextCursor` of the page before."),
});

export const SearchMemories = z.strictObject({
  query: z
    .string()
    .max(MEMORY_LIMITS.maximumQueryCharacters, `At most ${MEMORY_LIMITS.maximumQueryCharacters} characters.`)
    .describe(
      'Words that must all occur, each also as the beginning of a longer one; "several words" in this order, -word for one that must not occur, or between alternatives. Case and accents do not matter.',
    ),
  tags: tags.optional().describe("Only memories that have all of these."),
  metadata: metadata.optional().describe("Only memories whose metadata contains this."),
  limit: z.int().min(1).max(100).default(10).describe("How many to answer at most, 1 to 100."),
});
