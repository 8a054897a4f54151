import type { Caller, KeyCaller, Role } from "./caller.ts";
import type { Target } from "./declaration.ts";
import { type Operation, scopeOf } from "./operation.ts";
import { ROLE_SCOPES } from "./roles.ts";
import type { Scope } from "./scopes.ts";

/** When operations and services were first registered, in Unix milliseconds, by selector. */
export type Registrations = ReadonlyMap<string, number>;

/** The input of the access decision on one call; see `judge_chain` in db/functions/access.sql. */
export interface AccessQuestion {
  /** Null if every key may make the call, whatever its boundaries. */
  scope: Scope | null;
  service: string | null;
  selectors: Selectors;
  /**
   * True if the first selector must itself be allowed; false for an aggregate, which passes when any
   * operation below it is allowed.
   */
  exact: boolean;
  /** When the operation or its service was first registered, in Unix milliseconds; null if unknown. */
  registeredAt: number | null;
  serviceRegisteredAt: number | null;
}

/**
 * The form of registered service and operation ids. Other names in a request cannot match a registered one.
 */
const NAME = /^[a-z0-9][a-z0-9._-]{0,99}$/i;

function name(value: unknown): string | undefined {
  return typeof value === "string" && NAME.test(value) ? value : undefined;
}

/** Returns the service and the operation that a body names, without validating the rest of it. */
export function targetIn(body: unknown): Target {
  const named: Record<string, unknown> = typeof body === "object" && body !== null ? { ...body } : {};
  return { serviceId: name(named.serviceId), operationId: name(named.operationId) };
}

/** Returns the target of a request, as far as it can be read before authorisation. */
export function targetOf(operation: Operation, params: Record<string, string>, body: unknown): Target {
  if (operation.service === undefined) return {};
  if (typeof operation.service === "string") return { serviceId: operation.service };
  const target = operation.service({ params, body });
  return { serviceId: name(target.serviceId), operationId: name(target.operationId) };
}

export type Selectors = [string, ...string[]];

/**
 * The selectors that cover a call, the most exact first: `services.invoke.managed-memory.put`,
 * `services.invoke.managed-memory`, `services.invoke`. The selector `*` covers everything and is not listed.
 */
export function selectorsOf(operation: Pick<Operation, "id" | "usesServices">, target: Target): Selectors {
  if (!operation.usesServices || !target.serviceId) return [operation.id];
  const service = `${operation.id}.${target.serviceId}`;
  return target.operationId
    ? [`${service}.${target.operationId}`, service, operation.id]
    : [service, operation.id];
}

/** Returns the input of the access decision on a call of an authenticated operation. */
export function questionOf(
  operation: Pick<Operation, "id" | "scope" | "usesServices">,
  target: Target,
  registrations: Registrations,
): AccessQuestion {
  const selectors = selectorsOf(operation, target);
  return {
    scope: scopeOf(operation),
    service: target.serviceId ?? null,
    selectors,
    exact: !operation.usesServices || selectors.length === 3,
    registeredAt: registrations.get(selectors[0]) ?? null,
    serviceRegisteredAt: target.serviceId ? (registrations.get(`service:${target.serviceId}`) ?? null) : null,
  };
}

/** True if a role may call an operation that needs this scope. An approver may use `approvals:write` to decide only. */
export function roleMayCall(role: Role, scope: Scope, operationId: string): boolean {
  if (!ROLE_SCOPES[role].includes(scope)) return false;
  return role !== "approver" || scope !== "approvals:write" || operationId === "approvals.decide";
}

/** True if a member's role, or the platform itself, covers an operation. */
export function roleCovers(caller: Exclude<Caller, KeyCaller>, scope: Scope, operationId: string): boolean {
  return caller.type === "member"
    ? roleMayCall(caller.role, scope, operationId)
    : caller.scopes.includes(scope);
}

/**
 * Returns the selectors under which a call can be allowed and limited; service and service operation appear
 * as patterns.
 */
export function selectorPatterns(operation: Operation): string[] {
  if (operation.scope === null) return [];
  if (!operation.usesServices) return [operation.id];
  return [operation.id, `${operation.id}.<serviceId>`, `${operation.id}.<serviceId>.<operationId>`];
}
