import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import { members, users } from "#db/schema/accounts.ts";
import { apiKeys } from "#db/schema/keys.ts";
import { defined } from "#server/base/defined.ts";
import { idOf } from "#server/base/ids.ts";
import { typeId } from "#server/operation/fields.ts";
import { operation } from "#server/operation/operation.ts";
import { expirySql, isDead } from "./lifetime.ts";
import { below, type KeyRow, managedChain, toApiKeys } from "./queries.ts";
import { ApiKey, KeyBranch } from "./schema.ts";

const NAMED = 100;

export const readApiKey = operation({
  id: "apiKeys.read",
  method: "GET",
  path: "/api-keys/{id}",
  summary: "Read an API key",
  description:
    "Returns the calling key or a descendant, with the keys between them and the descendants that a revocation would invalidate. A member may read every key of the account.",
  scope: "api_keys:manage",
  params: z.object({ id: typeId("apiKey") }),
  output: z.object({
    apiKey: ApiKey,
    ancestors: z
      .array(ApiKey)
      .describe(
        "The key's ancestors, highest first. A calling key sees only itself and its descendants among them.",
      ),
    createdBy: z
      .object({
        id: typeId("member"),
        name: z.string().meta({ description: "The member's name.", examples: ["Ada Lovelace"] }),
      })
      .nullable()
      .describe(
        "The member who created the key; visible to members. Null if a key or a credit token created it.",
      ),
    branch: KeyBranch,
  }),
  errors: ["not_found"],

  async handler({ params, caller, db, request: { at } }) {
    const chain = await managedChain(db, caller, params.id);
    const row = defined(chain.at(-1));
    const keys = await toApiKeys(db, chain.toReversed(), { caller, at });
    const apiKey = defined(keys[0]);
    const ancestors = keys.slice(1);
    const branch = chain.some((key) => isDead(key, at)) ? { live: 0, keys: [] } : await branchOf(db, row, at);
    const seen = caller.type === "key" ? ancestors.filter(({ depth }) => depth >= caller.depth) : ancestors;
    const createdBy = caller.type === "key" ? null : await makerOf(db, row);
    return { apiKey, ancestors: seen.toReversed(), createdBy, branch };
  },
});

/** Returns the active keys below an active key: those with only active keys in between. */
async function branchOf(db: Db | Transaction, { accountId, id }: KeyRow, at: Date) {
  const parameter = sql.param(id, apiKeys.id);
  const rows = await db.execute<{ id: string; label: string; depth: number; live: number }>(sql`
    with branch as (
      select ${apiKeys.id}, ${apiKeys.label}, ${apiKeys.depth}, ${apiKeys.chain},
        ${apiKeys.revokedAt} is not null or ${expirySql} <= ${at.toISOString()}::timestamptz as dead
      from ${apiKeys}
      where ${and(eq(apiKeys.accountId, accountId), below(accountId, [id]))}
    )
    select k.id, k.label, k.depth, count(*) over ()::int as live from branch k
    where k.id <> ${parameter} and not exists (select from branch a where a.dead and a.id = any(k.chain))
    order by k.depth, k.id limit ${NAMED}`);
  return {
    live: rows[0]?.live ?? 0,
    keys: rows.map((row) => ({ id: idOf("apiKey", row.id), label: row.label, depth: row.depth })),
  };
}

async function makerOf(db: Db | Transaction, { accountId, memberId }: KeyRow) {
  if (!memberId) return null;
  const [maker] = await db
    .select({ id: members.id, name: users.name })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(and(eq(members.accountId, accountId), eq(members.id, memberId)));
  return maker ?? null;
}
