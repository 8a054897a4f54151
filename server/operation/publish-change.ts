import { afterCommit, type Db, type Transaction } from "#db/client.ts";
import { CHANGES, type Change } from "#server/base/changes.ts";
import { runningPlatform } from "#server/platform.ts";
import type { Caller } from "./caller.ts";
import type { Operation } from "./operation.ts";

/** Publishes a change that has no event to open pages, once it is committed. */
export function publishChange(on: Db | Transaction, whose: string, change: Change): void {
  afterCommit(on, () => runningPlatform()?.changes.publish(whose, change));
}

/** Publishes that a call was recorded, and which kinds of resources it changed. */
export function publishCallChanges(
  { idempotent, operationId }: Operation,
  { accountId, type }: Caller,
  { failed, charged }: { failed: boolean; charged: number },
): void {
  const changes = runningPlatform()?.changes;
  // Some reads are POSTs. Publishing them as changes would make a page refetch in an endless loop.
  const reads = !idempotent;
  // A page that shows the request log reads it as a member, so reads by members are not published either.
  if (type !== "member" || !reads) changes?.publish(accountId, "auditEvents");
  if (charged > 0) changes?.publish(accountId, "credits");
  const change = CHANGES.find((one) => operationId.startsWith(`${one}.`));
  if (change && !reads && !failed) changes?.publish(accountId, change);
}
