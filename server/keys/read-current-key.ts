import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { accounts } from "#db/schema/accounts.ts";
import { apiKeys } from "#db/schema/keys.ts";
import { ApiError } from "#server/operation/errors.ts";
import { typeId } from "#server/operation/fields.ts";
import { operation } from "#server/operation/operation.ts";
import { toApiKeys } from "./queries.ts";
import { ApiKey } from "./schema.ts";

export const readCurrentKey = operation({
  id: "apiKeys.current",
  method: "GET",
  path: "/api-keys/current",
  summary: "Read the calling key",
  description: "Returns the calling key, or the key of the calling app, and its account.",
  scope: "any",
  surfaces: ["api", "mcp"],
  output: z.object({
    apiKey: ApiKey,
    account: z
      .object({
        id: typeId("account"),
        name: z.string().meta({ description: "The account's name.", examples: ["Web shop"] }),
      })
      .describe("The account that the key belongs to."),
  }),

  async handler({ caller, db, request: { at } }) {
    const { accountId, id } = caller;
    const [row] = await db
      .select({ key: apiKeys, account: { id: accounts.id, name: accounts.name } })
      .from(apiKeys)
      .innerJoin(accounts, eq(accounts.id, apiKeys.accountId))
      .where(and(eq(apiKeys.accountId, accountId), eq(apiKeys.id, id)));
    const [apiKey] = row ? await toApiKeys(db, [row.key], { caller, at }) : [];
    // A run that acts on a member's behalf has no key.
    if (!row || !apiKey) throw new ApiError("not_found", "No API key makes this call: a member does.");
    return { apiKey, account: row.account };
  },
});
