import type { Registrations } from "#server/platform.ts";
import type { Caller, KeyCaller } from "./caller.ts";
import type { Operation, Subject } from "./operation.ts";
import type { Scope } from "./scopes.ts";

/** What the access decision is asked about a call; see `judge_chain` in db/functions/access.sql. */
export interface AccessQuestion {
  scope: Scope;
  service: string | null;
  /** The most exact first. */
  selectors: string[];
  /** Whether the first selector names one operation exactly; an aggregate passes when anything below it is allowed. */
  exact: boolean;
  /** When the operation, and its service, were first registered, in Unix milliseconds; null where unknown. */
  registeredAt: number | null;
  serviceRegisteredAt: number | null;
}

/** Service and operation ids as they may be registered; anything else in a request can't name one. */
const NAME = /^[a-z0-9][a-z0-9._-]{0,99}$/i;

function name(value: unknown): string | undefined {
  return typeof value === "string" && NAME.test(value) ? value : undefined;
}

/** The service and the operation that a body names, read leniently. */
export function subjectIn(body: unknown): Subject {
  const named: Record<string, unknown> = typeof body === "object" && body !== null ? { ...body } : {};
  return { serviceId: name(named.serviceId), operationId: name(named.operationId) };
}

/** What a request asks for, as far as it can be read before it is judged. */
export function subjectOf(operation: Operation, params: Record<string, string>, body: unknown): Subject {
  if (operation.service === undefined) return {};
  if (typeof operation.service === "string") return { serviceId: operation.service };
  const subject = operation.service({ params, body });
  return { serviceId: name(subject.serviceId), operationId: name(subject.operationId) };
}

/**
 * The selectors that cover a call, the most exact first: `services.invoke.managed-memory.put`,
 * `services.invoke.managed-memory`, `services.invoke`. The selector `*` covers everything and is not listed.
 */
export function selectorsOf(
  operation: Pick<Operation, "id" | "dynamicSelectors">,
  subject: Subject,
): string[] {
  if (!operation.dynamicSelectors || !subject.serviceId) return [operation.id];
  const service = `${operation.id}.${subject.serviceId}`;
  return subject.operationId
    ? [`${service}.${subject.operationId}`, service, operation.id]
    : [service, operation.id];
}

/** The question that decides a call of an authenticated operation. */
export function questionOf(
  operation: Operation,
  subject: Subject,
  registrations: Registrations,
): AccessQuestion {
  const selectors = selectorsOf(operation, subject);
  return {
    scope: operation.scope as Scope,
    service: subject.serviceId ?? null,
    selectors,
    exact: !operation.dynamicSelectors || selectors.length === 3,
    registeredAt: registrations.get(selectors[0] as string) ?? null,
    serviceRegisteredAt: subject.serviceId
      ? (registrations.get(`service:${subject.serviceId}`) ?? null)
      : null,
  };
}

/** Whether a person's role, or the platform, covers an operation. An approver's `approvals:write` is for deciding only. */
export function roleCovers(caller: Exclude<Caller, KeyCaller>, scope: Scope, operationId: string): boolean {
  if (!caller.scopes.includes(scope)) return false;
  const decidesOnly = caller.type === "member" && caller.role === "approver";
  return !decidesOnly || scope !== "approvals:write" || operationId === "approvals.decide";
}
