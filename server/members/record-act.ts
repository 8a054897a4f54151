import { eq } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { members } from "#db/schema/accounts.ts";
import { newId, toUuid, uuidOf } from "#server/base/ids.ts";
import { type ActName, recordOutside } from "#server/operation/recorder.ts";

/** The origin of a person's request. */
export interface Origin {
  requestId: string;
  ip: string | null;
  userAgent: string | null;
}

/** Inserts an audit event of a member's act outside the operations: a sign-in, the change of a second factor. */
export function recordAct(
  tx: Transaction,
  member: { accountId: string; memberId: string; name: string },
  act: { operation: ActName; resource: string | null },
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

/** Records a change of a person by an operator's command in the audit of each of the person's accounts. */
export async function recordByOperator(
  tx: Transaction,
  user: { id: string; name: string },
  operation: ActName,
): Promise<void> {
  const memberships = await tx
    .select({ accountId: members.accountId, memberId: members.id })
    .from(members)
    .where(eq(members.userId, user.id));
  const origin = { requestId: newId("request"), ip: null, userAgent: "operator" };
  for (const membership of memberships)
    await recordAct(tx, { ...membership, name: user.name }, { operation, resource: user.id }, origin);
}
