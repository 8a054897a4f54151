import { afterCommit, type Db, type Transaction } from "#db/client.ts";
import { CHANGES, type Change } from "#server/changes.ts";
import { runningPlatform } from "#server/platform.ts";
import type { Caller } from "./caller.ts";
import type { Operation } from "./operation.ts";

/** Tells the pages that are open of a change that no event tells of, as soon as it is committed. */
export function tellChange(on: Db | Transaction, whose: string, change: Change): void {
  afterCommit(on, () => runningPlatform()?.changes.tell(whose, change));
}

/** Tells them of a call that was recorded, and of what it has changed. */
export function tellCall(
  { idempotent, operationId }: Operation,
  { accountId, type }: Caller,
  { failed, charged }: { failed: boolean; charged: number },
): void {
  const changes = runningPlatform()?.changes;
  // By POST too, where its input does not fit into a query: told of that, a page would read itself again for ever.
  const reads = !idempotent;
  // A page that shows the request log reads it as a member: it is not told of that.
  if (type !== "member" || !reads) changes?.tell(accountId, "auditEvents");
  if (charged > 0) changes?.tell(accountId, "credits");
  const change = CHANGES.find((one) => operationId.startsWith(`${one}.`));
  if (change && !reads && !failed) changes?.tell(accountId, change);
}
