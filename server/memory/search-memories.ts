import { arrayContains, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import { allOf } from "#db/conditions.ts";
import { memories } from "#db/schema/memory.ts";
import { idOf } from "#server/base/ids.ts";
import type { Caller } from "#server/operation/caller.ts";
import { invalid } from "#server/operation/errors.ts";
import { ownSpace } from "#server/operation/tenancy.ts";
import { priceOf } from "#server/services/prices.ts";
import { capability } from "#server/services/service.ts";
import { highlight } from "./highlight.ts";
import { contentBytes, memoriesOf, ownMemories, thatFit, toMemory } from "./queries.ts";
import { FoundMemory, SearchMemories } from "./schema.ts";
import { parseQuery, type SearchQuery } from "./search-query.ts";

/** How many memories are ranked: for common words, reading each memory's words would take most of the time. */
const CANDIDATES = 500;

export const searchMemories = capability({
  id: "search",
  title: "Search memories",
  description:
    "Finds memories by the words of their name, tags and content, best match first. Names weigh more than tags, tags more than content, whole words more than beginnings. If more than 500 memories match, the newest and 500 others are ranked. The response ends before its content would exceed 1 MB.",
  input: SearchMemories,
  output: z.object({ memories: z.array(FoundMemory) }),
  modes: ["invoke", "run"],
  readOnly: true,
  destructive: false,
  requiresApproval: false,
  price: priceOf("managed-memory", "search"),

  async read({ input, caller, db }) {
    const query = parseQuery(ownSpace(caller), input.query);
    if (!query) throw invalid("body.input.query", "Names no word to look for. Send at least one.");
    const scores = new Map(
      thatFit(await rank(db, caller, query, input)).map(({ id, score }) => [idOf("memory", id), score]),
    );
    const rows = await memoriesOf(db, caller, [...scores.keys()]);
    return {
      memories: rows.map((row) => ({
        ...toMemory(row, caller),
        score: scores.get(row.id) ?? 0,
        highlight: highlight(row.content, query.terms),
      })),
    };
  },
});

type Ranked = { id: string; bytes: number; score: number };

async function rank(
  db: Db | Transaction,
  caller: Caller,
  query: SearchQuery,
  { tags, metadata, limit }: z.output<typeof SearchMemories>,
): Promise<Ranked[]> {
  const own = ownMemories(caller);
  const fits = allOf(
    own,
    sql`${memories.words} @@ ${query.wide}::tsquery`,
    tags && tags.length > 0 ? arrayContains(memories.tags, tags) : undefined,
    metadata ? sql`${memories.metadata} @> ${JSON.stringify(metadata)}::jsonb` : undefined,
  );
  const score = sql`ts_rank_cd(${memories.words}, ${query.wide}::tsquery, 33)
    * case when ${memories.words} @@ ${query.exact}::tsquery then 1 else 0.5 end`;
  // Subqueries use the table's own name as alias, so that the same conditions apply to them.
  return db.execute<Ranked>(sql`
    with newest as materialized (
      select * from ${memories} where ${own} order by id desc limit ${CANDIDATES}
    ), candidates as (
      select * from newest as memories where ${fits}
      union all
      (select * from ${memories} where ${fits} and id < (select id from newest order by id limit 1) limit ${CANDIDATES})
    )
    select id, ${contentBytes} as bytes, ${score} as score
    from candidates as memories order by score desc, id desc limit ${limit}`);
}
