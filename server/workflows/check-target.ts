import { unknownEvent } from "#server/events/catalogue.ts";
import { whereFaults } from "#server/events/condition-faults.ts";
import type { Issue } from "#server/operation/errors.ts";
import type { Operation } from "#server/operation/operation.ts";
import { platform } from "#server/platform.ts";
import { isPlatforms } from "#server/sent-events/schema.ts";
import { capabilitiesOf } from "#server/services/capabilities.ts";
import { serviceById } from "#server/services/registry.ts";
import type { Step } from "./schema.ts";
import { hasExpressions } from "./template.ts";

type StepOf<Type extends Step["type"]> = Extract<Step, { type: Type }>;

/**
 * Checks that the target of a step exists and can be called from a workflow. Workflows stored before conditions were
 * checked are exempt from that.
 */
export function checkTarget(step: Step, path: string, isStored: boolean): Issue[] {
  if (step.type === "invoke") return checkInvoked(step, path);
  if (step.type === "operation") return checkOperation(step, path);
  if (step.type === "await") return checkEvents(step, path, isStored);
  if (step.type === "http" && !hasExpressions(step.url) && !/^https?:\/\//i.test(step.url))
    return [{ path: `${path}.url`, message: "Send an address that begins with https:// or http://." }];
  return [];
}

/** Checks that awaited platform events exist and that conditions can be fulfilled. */
function checkEvents({ events }: StepOf<"await">, path: string, isStored: boolean): Issue[] {
  return events.flatMap(({ name, key, where = [] }, nth) => {
    const here = `${path}.events.${nth}`;
    const unknown = unknownEvent(name);
    if (unknown) return [{ path: `${here}.name`, message: unknown }];
    const faults = isStored ? [] : whereFaults(where, name, hasExpressions);
    return [
      ...(isPlatforms(name) && key !== undefined
        ? [{ path: `${here}.key`, message: "The platform's events have no key. Use where." }]
        : []),
      ...faults.map(({ at, field, message }) => ({ path: `${here}.where.${at}.${field}`, message })),
    ];
  });
}

function checkInvoked({ serviceId, operationId }: StepOf<"invoke">, path: string): Issue[] {
  const service = serviceById(serviceId);
  if (!service) return [{ path: `${path}.serviceId`, message: `No service ${serviceId}.` }];
  const capability = capabilitiesOf(service).find(({ id }) => id === operationId);
  const fault = !capability
    ? `Service ${serviceId} has no operation ${JSON.stringify(operationId)}.`
    : capability.endpoint
      ? `${operationId} is not invoked. Use a step of type operation with operation "${operationId}".`
      : capability.modes.includes("invoke")
        ? null
        : `${serviceId} ${operationId} only runs durably. Use a step of type operation with operation "runs.create".`;
  return fault ? [{ path: `${path}.operationId`, message: fault }] : [];
}

/** Returns the API operation that a step names. */
function operationNamed(name: string): Operation | undefined {
  return platform().operations.find(
    ({ operationId, surfaces }) => operationId === name && surfaces.includes("api"),
  );
}

function checkOperation(step: StepOf<"operation">, path: string): Issue[] {
  const operation = operationNamed(step.operation);
  if (!operation)
    return [{ path: `${path}.operation`, message: `No operation ${JSON.stringify(step.operation)}.` }];
  const unfit = operation.secretOutput
    ? `The answer of ${step.operation} holds a secret, which a run would keep. Call it directly.`
    : operation.raw && `${step.operation} takes raw bytes, which no step can send. Call it directly.`;
  if (unfit) return [{ path: `${path}.operation`, message: unfit }];
  const names = Object.keys(operation.params?.shape ?? {});
  const missing = names
    .filter((name) => step.params?.[name] === undefined)
    .map((name) => ({ path: `${path}.params.${name}`, message: `${step.operation} needs it in its path.` }));
  return [
    ...missing,
    ...unknownFields(step.params, operation.params?.shape, `${path}.params`),
    ...unknownFields(step.query, operation.query?.shape, `${path}.query`),
    ...unknownFields(step.body, operation.body?.shape, `${path}.body`),
  ];
}

function unknownFields(sent: unknown, shape: Record<string, unknown> = {}, path: string): Issue[] {
  if (typeof sent !== "object" || sent === null) return [];
  return Object.keys(sent)
    .filter((name) => !Object.hasOwn(shape, name))
    .map((name) => ({ path: `${path}.${name}`, message: "Unknown field." }));
}
