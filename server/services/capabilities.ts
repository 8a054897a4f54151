import { z } from "zod";
import { ApiError, invalid, notFound } from "#server/operation/errors.ts";
import { invalidRequest, readWith } from "#server/operation/input.ts";
import type { Operation } from "#server/operation/operation.ts";
import { platform } from "#server/platform.ts";
import { priceOf } from "./prices.ts";
import { serviceById } from "./registry.ts";
import type { Capability, CheckedFor, Mode, ServiceDefinition } from "./service.ts";

/**
 * Returns the operations with their own endpoints that belong to this service; those of no service belong to
 * `platform-api`.
 */
function endpointsOf(service: ServiceDefinition): Operation[] {
  return platform().operations.filter(
    (operation) =>
      operation.surfaces.includes("api") &&
      (typeof operation.service === "string" ? operation.service : "platform-api") === service.id,
  );
}

const described = new WeakMap<Operation, Capability>();

function describeEndpoint(service: ServiceDefinition, operation: Operation): Capability {
  const { params, query, body } = operation;
  const capability: Capability = described.get(operation) ?? {
    id: operation.operationId,
    title: operation.summary,
    description: operation.description ?? operation.summary,
    input: z.object({ ...params?.shape, ...query?.shape, ...body?.shape }),
    output: operation.output,
    modes: [],
    endpoint: {
      method: operation.method,
      path: operation.path,
      selector: operation.scope === null ? null : operation.id,
    },
    readOnly: !operation.idempotent,
    destructive: operation.destructive ?? false,
    requiresApproval: operation.approval !== undefined,
    approval: operation.approval,
    price: priceOf(service.id, operation.operationId),
  };
  described.set(operation, capability);
  return capability;
}

/** Returns every capability of a service. */
export function capabilitiesOf(service: ServiceDefinition): readonly Capability[] {
  return service.endpoints
    ? endpointsOf(service).map((operation) => describeEndpoint(service, operation))
    : service.capabilities;
}

/** The input and connection of a call. */
interface ConnectionChoice {
  connectionId?: string | undefined;
  input?: unknown;
}

/** Returns the connection that a call names, beside its input or within it. */
export function connectionOf({ connectionIn }: Capability, asked: ConnectionChoice): string | undefined {
  return asked.connectionId ?? connectionIn?.(asked.input);
}

/** Returns the capability, if it can be used in this mode; otherwise the error says how to use it. */
export function usableCapability(
  mode: Mode,
  serviceId: string,
  operationId: string,
  asked: ConnectionChoice,
): Capability {
  const service = serviceById(serviceId);
  if (!service) throw notFound("service", serviceId);
  const capability = capabilitiesOf(service).find(({ id }) => id === operationId);
  if (capability?.endpoint) {
    const { method, path } = capability.endpoint;
    const done = mode === "invoke" ? "invoked" : "run";
    throw invalid(
      "body.operationId",
      `${operationId} has an endpoint of its own: ${method} /v1${path}. It is not ${done}.`,
    );
  }
  const reason = unavailabilityOf(service, capability && connectionOf(capability, asked));
  if (reason) throw new ApiError("service_unavailable", reason);
  if (!capability)
    throw new ApiError("not_found", `Service ${serviceId} has no operation ${JSON.stringify(operationId)}.`);
  if (!capability.modes.includes(mode)) {
    const instead =
      mode === "invoke"
        ? "only runs durably: POST /v1/runs"
        : `is only invoked: POST /v1/services/${serviceId}/invoke`;
    throw invalid("body.operationId", `${serviceId} ${operationId} ${instead}.`);
  }
  return capability;
}

/** Parses the input by the capability's schema; the error names every fault, with paths below `where`. */
export async function parseCapabilityInput(
  { input, check }: { input: Capability["input"]; check?: Capability["check"] | undefined },
  sent: unknown,
  where: string,
  by: CheckedFor,
): Promise<unknown> {
  const parsed = readWith(input, sent, where);
  if (parsed.issues) throw invalidRequest(parsed.issues);
  const faults = (await check?.(parsed.data, by)) ?? [];
  if (faults.length > 0)
    throw invalidRequest(faults.map(({ path, message }) => ({ path: `${where}.${path}`, message })));
  return parsed.data;
}

/** Returns why a service cannot be used now, or null; the caller's connection may replace missing settings. */
export function unavailabilityOf(service: ServiceDefinition, connectionId?: string | null): string | null {
  return service.unavailable?.(connectionId) ?? null;
}
