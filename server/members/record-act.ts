import type { Transaction } from "#db/client.ts";
import { toUuid, uuidOf } from "#server/ids.ts";
import { recordOutside } from "#server/operation/recorder.ts";

/** Where a person's request came from. */
export interface Origin {
  requestId: string;
  ip: string | null;
  userAgent: string | null;
}

/** Records in the account's audit what a member did outside its operations: signed in, changed a second factor. */
export function recordAct(
  tx: Transaction,
  member: { accountId: string; memberId: string; name: string },
  act: { operation: string; resource: string | null },
  { requestId, ip, userAgent }: Origin,
): Promise<void> {
  return recordOutside(tx, {
    ...act,
    requestId,
    ip,
    accountId: toUuid("account", member.accountId),
    member: { id: uuidOf("member", member.memberId), name: member.name },
    userAgent: userAgent?.slice(0, 300) ?? null,
  });
}
