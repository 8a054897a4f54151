import type { Database } from "../../db/client.ts";
import { accounts } from "../../db/schema/accounts.ts";
import { newId } from "../base/ids.ts";
import { grantCredits } from "../credits/post-credits.ts";
import { createCreditToken } from "../keys/credit-tokens.ts";
import type { postTo } from "./post-to.ts";

/** Creates an account through the API that `post` calls; returns its key and the headers for it. */
export async function createKey(
  db: Database["db"],
  post: ReturnType<typeof postTo>,
  scopes: string[],
  { credits = 0, ...choices }: { credits?: number; limits?: object } = {},
) {
  const accountId = newId("account");
  const token = await db.transaction(async (tx) => {
    await tx.insert(accounts).values({ id: accountId, name: "Bench" });
    if (credits > 0)
      await grantCredits(tx, { accountId, credits, reference: accountId, description: "Bench" });
    return createCreditToken(tx, accountId);
  });
  const body = { label: "Bench", scopes, ...choices };
  const { secret } = await post("/api-keys", { "x-service-credit-token": token }, body);
  return { accountId, headers: { authorization: `Bearer ${secret}` } };
}
