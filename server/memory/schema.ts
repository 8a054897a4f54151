import { z } from "zod";
import { exampleId, instant, metadata, shortText, typeId } from "#server/operation/fields.ts";

/** The limits of a memory; published in `/pricing`. */
export const MEMORY_LIMITS = {
  maximumContentBytes: 262_144,
  maximumTags: 50,
  maximumTagCharacters: 100,
  maximumQueryCharacters: 1000,
  /** The maximum content in one response of `list` and `search`; further entries are left for the next page. */
  maximumAnswerBytes: 1_048_576,
} as const;

const name = shortText.describe("The memory's name, unique within its account, project and end user.");
export const tag = z
  .string()
  .min(1)
  .max(
    MEMORY_LIMITS.maximumTagCharacters,
    `A tag has at most ${MEMORY_LIMITS.maximumTagCharacters} characters.`,
  );

export const Memory = z
  .object({
    id: typeId("memory"),
    name: z.string().nullable().describe("The memory's name; null if it has none."),
    content: z.string().describe("The stored text."),
    tags: z.array(z.string()).describe("The memory's tags, in the order they were sent."),
    metadata,
    projectId: typeId("project").nullable(),
    endUser: z
      .string()
      .nullable()
      .describe("Your own id of the end user that the memory belongs to; null if none."),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({
    id: "Memory",
    description: "A stored text that can be searched.",
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

export type Memory = z.output<typeof Memory>;

export const MemoryParams = z.object({ memoryId: typeId("memory") });

export const readOnly = z
  .boolean()
  .describe("True if the memory's project is archived: it can then be neither replaced nor deleted.");

export const ListedMemory = Memory.omit({ content: true, metadata: true })
  .extend({
    beginning: z.string().describe("The first 200 characters of the stored text."),
    contentBytes: z.int().describe("The size of the stored text as UTF-8, in bytes."),
    readOnly,
  })
  .meta({ id: "ListedMemory", description: "A memory without its whole content." });

export type ListedMemory = z.output<typeof ListedMemory>;

export const FoundMemory = Memory.extend({
  score: z.number().describe("The relevance, between 0 and 1; only comparable within one response."),
  highlight: z.string().describe("An excerpt as HTML: matches are in `<mark>`, everything else is escaped."),
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
    .describe("The text to store, up to 256 KB."),
  name: name
    .optional()
    .describe("With a name, the memory of that name is replaced; without one, a new memory is created."),
  tags: tags.optional().describe("Tags, by which lists and searches can filter."),
  metadata: metadata.optional(),
  ifUpdatedAt: z.iso
    .datetime()
    .optional()
    .describe(
      "The `updatedAt` that you have read: the memory of that name is replaced only if it has not been changed or deleted since.",
    ),
});

const byId = z.strictObject({ id: z.string().describe("Id of the memory.") });
const byName = z.strictObject({ name });
/** Refers to a memory by its id or its name. */
export const MemoryReference = z.union([byId, byName], "Send either id or name.");

export const ListMemories = z.strictObject({
  tags: tags.optional().describe("Only memories that have all of these tags."),
  limit: z
    .int()
    .min(1)
    .max(100)
    .default(25)
    .describe("The maximum number of memories in the page, 1 to 100."),
  cursor: z.string().max(500).optional().describe("`nextCursor` of the previous page."),
});

export const SearchMemories = z.strictObject({
  query: z
    .string()
    .max(MEMORY_LIMITS.maximumQueryCharacters, `At most ${MEMORY_LIMITS.maximumQueryCharacters} characters.`)
    .describe(
      'The words to search for. All must occur, also as beginnings of longer words. "several words" match in this order, -word must not occur, and or separates alternatives. Case and accents are ignored.',
    ),
  tags: tags.optional().describe("Only memories that have all of these tags."),
  metadata: metadata.optional().describe("Only memories whose metadata contains this."),
  limit: z
    .int()
    .min(1)
    .max(100)
    .default(10)
    .describe("The maximum number of memories in the response, 1 to 100."),
});
