import { sql } from "drizzle-orm";
import { connections } from "#db/schema/connections.ts";
import { currentMs, currentTime } from "#server/base/clock.ts";
import type { Caller } from "#server/operation/caller.ts";
import { ApiError, type ErrorCode, notFound } from "#server/operation/errors.ts";
import { type AuditRecord, actorFields, recordEvent } from "#server/operation/recorder.ts";
import { platform } from "#server/platform.ts";
import { addressFault, isAllowedUrl } from "./hosts.ts";
import { type ConnectionRow, oneVisible } from "./queries.ts";

/** The caller who uses a connection, and the request. */
export interface Use {
  caller: Caller;
  connectionId: string;
  requestId: string;
  /** The user of the connection in the audit: `connections.use.workflow`. */
  purpose: "workflow" | "agent" | "service";
  /** Called right before a request leaves, once its use is recorded. */
  sending?: () => Promise<void>;
}

/** Returns the connection with its sealed secret, if the caller sees it. */
export async function readRow({ caller, connectionId }: Use): Promise<ConnectionRow> {
  const [row] = await platform()
    .database.db.select()
    .from(connections)
    .where(oneVisible(caller, connectionId));
  if (!row) throw notFound("connection", connectionId);
  return row;
}

/** Returns why the secret may not be sent to the address, or null. */
function refusalOf(row: ConnectionRow, url: URL): ApiError | null {
  const { id, status, expiresAt } = row;
  if (status === "disabled") return new ApiError("state_conflict", `Connection ${id} is disabled.`);
  if (expiresAt && expiresAt.getTime() <= currentMs())
    return new ApiError("state_conflict", `Connection ${id} expired at ${expiresAt.toISOString()}.`);
  if (status === "broken")
    return new ApiError(
      "service_failed",
      `Connection ${id} is broken: ${row.lastError?.message ?? "its secret is refused."} Send another secret.`,
      { operationState: "not_started" },
    );
  if (!isAllowedUrl(row.allowedHosts, url))
    return new ApiError("policy_denied", `Connection ${id} is not for ${url.host}: see its allowedHosts.`);
  const fault = addressFault(url, platform().settings.sandbox);
  return fault === null
    ? null
    : new ApiError("policy_denied", `Connection ${id}: the address of ${url.host} ${fault}`);
}

/** Refuses a use that is not allowed, and records the refusal. */
export async function judgeUse(use: Use, url: URL): Promise<void> {
  const row = await readRow(use);
  const refusal = refusalOf(row, url);
  if (!refusal) return;
  await platform().record({
    event: eventOf(use, row, "", refusal),
    used: null,
    lease: null,
    durable: true,
    unflushed: null,
  });
  throw refusal;
}

/**
 * Decides that the secret may be sent to the address and records the use in the same transaction: every use has its
 * event, and none follows a change that was confirmed. Returns the connection for the use.
 */
export async function beginUse(use: Use, url: URL, step = ""): Promise<ConnectionRow> {
  const { row, refusal } = await platform().database.db.transaction(async (tx) => {
    const mine = oneVisible(use.caller, use.connectionId);
    const [row] = await tx.select().from(connections).where(mine).for("update");
    if (!row) throw notFound("connection", use.connectionId);
    const refusal = refusalOf(row, url);
    if (!refusal) await tx.update(connections).set({ lastUsedAt: sql`clock_timestamp()` }).where(mine);
    await recordEvent(tx, eventOf(use, row, step, refusal));
    return { row, refusal };
  });
  if (refusal) throw refusal;
  return row;
}

function eventOf(use: Use, row: ConnectionRow, step: string, error: ApiError | null): AuditRecord {
  const selector = `connections.use.${use.purpose}${step}`;
  return {
    ...actorFields(use.caller, currentTime()),
    operation: "connections.use",
    selector,
    counted: false,
    resource: row.id,
    outcome: !error ? "allowed" : error.status >= 500 ? "error" : "denied",
    status: error?.status ?? 200,
    errorCode: (error?.code as ErrorCode | undefined) ?? null,
    requestId: use.requestId,
    ip: null,
    userAgent: null,
    durationMs: 0,
    chargedCredits: 0,
    secretVersion: row.secretVersion,
  };
}
