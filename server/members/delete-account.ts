import { eq, isNull, sql } from "drizzle-orm";
import { z } from "zod";
import type { Transaction } from "#db/client.ts";
import { closedAccounts, invitations, members } from "#db/schema/accounts.ts";
import { apiKeys, creditTokens } from "#db/schema/keys.ts";
import { toUuid } from "#server/ids.ts";
import { enqueueJob } from "#server/jobs/enqueue-job.ts";
import { revokeKeys } from "#server/keys/queries.ts";
import { ApiError } from "#server/operation/errors.ts";
import { typeId } from "#server/operation/fields.ts";
import { operation } from "#server/operation/operation.ts";
import { readAccountRow, toAccount } from "./account-rows.ts";
import { dropPeople } from "./drop-people.ts";
import { lockMembership } from "./queries.ts";
import { Account } from "./schema.ts";

/** Calls that were admitted before have ended by then. */
const ERASE_AFTER_SECONDS = 600;

export const deleteAccount = operation({
  id: "account.delete",
  method: "DELETE",
  path: "/account",
  summary: "Delete the account",
  description:
    "Permanent. At once, every key and credit token of the account ends, and every member loses access; people who belong to no other account can sign up anew. What the account has stored is erased within the hour; the ledger, the audit without its personal data, and wallets with what they sent are kept. Credits that are left, and whatever its wallets hold, are lost. Refused while the account has a managed database or work that has not ended.",
  scope: null,
  people: "owners",
  stepUp: true,
  idempotent: true,
  destructive: true,
  surfaces: ["console"],
  output: z.object({
    account: Account.describe("The account before it was deleted."),
    revokedKeyIds: typeId("apiKey").array().describe("Ids of the revoked keys, descendants included."),
  }),
  errors: ["state_conflict"],

  async handler({ caller, db, request: { at } }) {
    const { accountId } = caller;
    await lockMembership(db, caller, caller.id);
    const account = toAccount(await readAccountRow(db, accountId));
    const unfinished = await listUnfinished(db, accountId);
    if (unfinished.length > 0)
      throw new ApiError(
        "state_conflict",
        `The account can't be deleted while it has ${unfinished.join(" and ")}. Remove the database, and end the rest or wait until it has ended.`,
      );
    // In this order, whoever joins or makes a key at the same moment either is seen here or finds nothing to begin with.
    await db.delete(invitations).where(eq(invitations.accountId, accountId));
    const left = await db.delete(members).where(eq(members.accountId, accountId)).returning();
    await db.delete(creditTokens).where(eq(creditTokens.accountId, accountId));
    // Their descendants end with them.
    const revokedKeyIds = await revokeKeys(db, accountId, isNull(apiKeys.parentId), { caller, at });
    await dropPeople(
      db,
      left.map(({ userId }) => userId),
    );
    await db.insert(closedAccounts).values({ accountId });
    await enqueueJob(db, {
      task: "eraseAccount",
      payload: { accountId },
      key: `erase-account:${accountId}`,
      delaySeconds: ERASE_AFTER_SECONDS,
    });
    return { account, revokedKeyIds };
  },
});

/** Returns what has to end before the account can, by kind. */
async function listUnfinished(tx: Transaction, accountId: string): Promise<string[]> {
  const account = toUuid("account", accountId);
  const [row] = await tx.execute<{ kinds: string[] }>(sql`
    select array_remove(array[
      case when exists (select from tenant_databases d where d.account_id = ${account}) then 'a managed database' end,
      case when exists (select from runs r where r.account_id = ${account} and r.finished_at is null) then 'runs' end,
      case when exists (select from fund_reservations f
        where f.account_id = ${account} and f.released_at is null and f.owner_type <> 'signature') then 'sends, swaps or orders' end,
      case when exists (select from ledger_holds h where h.account_id = ${account} and h.state = 'open') then 'reserved credits' end], null) as kinds`);
  return row?.kinds ?? [];
}
