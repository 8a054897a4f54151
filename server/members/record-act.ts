import type { Transaction } from "#db/client.ts";
import { newUuidAt, uuidOf } from "#server/ids.ts";
import { recordEvent } from "#server/operation/recorder.ts";

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
  const at = new Date();
  return recordEvent(tx, {
    accountId: uuidOf("account", member.accountId) as string,
    id: newUuidAt(at),
    at,
    actorType: "member",
    actorId: uuidOf("member", member.memberId),
    actorLabel: member.name,
    operation: act.operation,
    selector: act.operation,
    counted: false,
    resource: act.resource,
    outcome: "allowed",
    status: 200,
    errorCode: null,
    requestId,
    projectId: null,
    endUserId: null,
    ip,
    userAgent: userAgent?.slice(0, 300) ?? null,
    durationMs: 0,
    chargedCredits: 0,
    secretVersion: null,
  });
}
