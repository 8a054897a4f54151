import { and, eq } from "drizzle-orm";
import { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import { auditEvents } from "#db/schema/audit.ts";
import { defined } from "#server/base/defined.ts";
import type { Caller } from "#server/operation/caller.ts";
import { ERRORS, isErrorCode, notFound } from "#server/operation/errors.ts";
import { typeId } from "#server/operation/fields.ts";
import { type Operation, operation, scopeOf } from "#server/operation/operation.ts";
import { SCOPE_NAMES } from "#server/operation/scopes.ts";
import { visible } from "#server/operation/tenancy.ts";
import { platform } from "#server/platform.ts";
import { openLines } from "./archive/archived-events.ts";
import { findArchived } from "./archive/search-archives.ts";
import { bodyOf } from "./body-of.ts";
import { checksOf, type RequestDetails } from "./checks-of.ts";
import { effectsOf } from "./effects-of.ts";
import { selectEvents, toAuditEvent } from "./queries.ts";
import { AuditBody, AuditCheck, AuditEffects, AuditEvent, AuditRefusal, RepeatableCall } from "./schema.ts";

export const readAuditEvent = operation({
  id: "auditEvents.read",
  method: "GET",
  path: "/audit-events/{eventId}",
  summary: "Read an audit event",
  description:
    "One request with the meaning of its error code, its access checks, its refusal, its effects, and the call that would repeat it.",
  scope: "audit:read",
  surfaces: ["console"],
  params: z.object({ eventId: typeId("auditEvent") }),
  output: z.object({
    auditEvent: AuditEvent,
    meaning: z.string().nullable().describe("The meaning of the error code; null if there is none."),
    refusal: AuditRefusal.nullable().describe("The refusal; null if no key refused the call."),
    checks: z.array(AuditCheck).describe("The access checks, in the order in which they were made."),
    replayOf: z
      .string()
      .nullable()
      .describe("The request whose stored response this call received; null if it is no idempotent repeat."),
    effects: AuditEffects,
    body: AuditBody.nullable().describe("The body of the call; null if the operation has none."),
    scope: z.enum(SCOPE_NAMES).nullable().describe("The scope that the operation requires."),
    call: RepeatableCall.nullable().describe(
      "The call that would repeat it; null if it is no call of the API.",
    ),
  }),
  errors: ["not_found"],

  async handler({ params, caller, db }) {
    const [row] = await selectEvents(db)
      .where(and(visible(auditEvents, caller), eq(auditEvents.id, params.eventId)))
      .limit(1);
    const archived = row ? null : await readArchived(db, caller, params.eventId);
    const auditEvent = row ? toAuditEvent(row) : archived?.event;
    if (!auditEvent) throw notFound("audit event", params.eventId);
    const called = operationOf(auditEvent);
    const details = archived?.details ?? (await detailsOf(db, caller, auditEvent));
    const body = await bodyOf(db, caller, auditEvent, called);
    return {
      auditEvent,
      meaning: meaningOf(auditEvent.errorCode),
      refusal: auditEvent.outcome === "denied" ? details.refusal : null,
      checks: await checksOf(db, caller.accountId, auditEvent, called, details),
      replayOf: details.replayOf,
      effects: await effectsOf(db, caller.accountId, auditEvent),
      scope: called ? scopeOf(called) : null,
      body,
      call: called?.surfaces.includes("api") ? callOf(called, auditEvent, body?.body) : null,
    };
  },
});

type Details = RequestDetails & { replayOf: string | null };

interface Archived {
  event: AuditEvent;
  details: Details;
}

async function readArchived(db: Db | Transaction, caller: Caller, eventId: string): Promise<Archived | null> {
  const line = await findArchived(db, caller, eventId);
  if (!line) return null;
  const [opened] = await openLines(db, caller.accountId, [line]);
  const { selector, refusal, replayOf = null } = line.kept;
  return { event: defined(opened).event, details: { selector, refusal, replayOf, archived: true } };
}

async function detailsOf(
  db: Db | Transaction,
  { accountId }: Caller,
  { id, operation }: AuditEvent,
): Promise<Details> {
  const { selector, refusal, replayOf } = auditEvents;
  const [kept] = await db
    .select({ selector, refusal, replayOf })
    .from(auditEvents)
    .where(and(eq(auditEvents.accountId, accountId), eq(auditEvents.id, id)))
    .limit(1);
  // The month may have been archived between two statements.
  return { ...(kept ?? { selector: operation, refusal: null, replayOf: null }), archived: !kept };
}

function meaningOf(code: string | null): string | null {
  return code !== null && isErrorCode(code) ? ERRORS[code].meaning : null;
}

/** Returns the event's operation; if two paths share it, a resource in the event selects the path with a parameter. */
function operationOf({ operation, resource }: AuditEvent): Operation | undefined {
  const named = platform().operations.filter(({ id }) => id === operation);
  return resource === null ? named[0] : named.at(-1);
}

/** Returns a repeatable form of the call: method, path and resource without the query, and the body if it is stored. */
function callOf(operation: Operation, event: AuditEvent, kept: unknown): z.input<typeof RepeatableCall> {
  const { method, path, idempotent, body, examples } = operation;
  return {
    method,
    path: path.replace(/\{\w+\}(?!.*\{)/, (param) =>
      event.resource === null ? param : encodeURIComponent(event.resource),
    ),
    idempotent,
    headers: {
      ...(event.projectId !== null && { "X-Service-Project": event.projectId }),
      ...(event.endUser !== null && { "X-Service-End-User": event.endUser }),
    },
    body: body && (kept ?? examples?.body ?? {}),
  };
}
