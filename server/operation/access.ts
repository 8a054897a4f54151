import type { Operation, Subject } from "./operation.ts";

/** Service and operation ids as they may be registered; anything else in a request can't name one. */
const NAME = /^[a-z0-9][a-z0-9._-]{0,99}$/i;

function name(value: unknown): string | undefined {
  return typeof value === "string" && NAME.test(value) ? value : undefined;
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
export function selectorsOf(operation: Operation, subject: Subject): string[] {
  if (!operation.dynamicSelectors || !subject.serviceId) return [operation.id];
  const service = `${operation.id}.${subject.serviceId}`;
  return subject.operationId
    ? [`${service}.${subject.operationId}`, service, operation.id]
    : [service, operation.id];
}
