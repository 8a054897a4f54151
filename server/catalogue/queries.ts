import { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import type { Caller } from "#server/operation/caller.ts";
import { judgeChain } from "#server/operation/explain-access.ts";
import { outsideBoundary } from "#server/operation/refuse-denied.ts";
import { platform } from "#server/platform.ts";
import { capabilitiesOf } from "#server/services/capabilities.ts";
import { services } from "#server/services/registry.ts";
import type { Capability, ServiceDefinition } from "#server/services/service.ts";
import type { Capability as CapabilityView } from "./schema.ts";
import { exactSelectors } from "./selectors.ts";

/** Returns the services inside the boundaries of the caller's key and all its ancestors. */
export async function reachedServices(db: Db | Transaction, caller: Caller): Promise<ServiceDefinition[]> {
  if (caller.type !== "key") return [...services()];
  const decisions = await judgeChain(
    db,
    caller,
    services().map(({ id }) => ({ service: id })),
  );
  return services().filter((_, nth) => decisions[nth]?.service === null);
}

/** Returns the ids of the services whose runs and artifacts the caller may read; null for all. */
export async function serviceBoundary(db: Db | Transaction, caller: Caller): Promise<string[] | null> {
  if (caller.type !== "key" || (caller.depth === 0 && caller.allowedServices === null)) return null;
  return (await reachedServices(db, caller)).map((service) => service.id);
}

/**
 * Refuses a resource of a service outside the caller's boundary, naming the highest key of the chain that refuses.
 */
export async function refuseForeignService(
  db: Db | Transaction,
  caller: Caller,
  serviceId: string,
): Promise<void> {
  if (caller.type !== "key" || (caller.depth === 0 && caller.allowedServices === null)) return;
  const [decision] = await judgeChain(db, caller, [{ service: serviceId }]);
  if (decision?.service) throw outsideBoundary(serviceId, decision.service);
}

/** Returns the exact selectors of a capability. */
function selectorsOfCapability(serviceId: string, { id, modes, endpoint }: Capability): string[] {
  if (endpoint) return endpoint.selector === null ? [] : [endpoint.selector];
  return modes.length === 0
    ? []
    : exactSelectors(platform().operations)
        .filter(({ target }) => target.serviceId === serviceId && target.operationId === id)
        .map(({ selector }) => selector);
}

type View = z.input<typeof CapabilityView>;
const views = new WeakMap<Capability, View>();

/** Returns the public form of a capability; computed once, since JSON Schemas are slow to build. */
function toCapability(serviceId: string, capability: Capability): View {
  const { id, title, description, modes, endpoint, readOnly, destructive, requiresApproval, price } =
    capability;
  const view: View = views.get(capability) ?? {
    serviceId,
    operationId: id,
    title,
    description,
    inputSchema: jsonSchemaOf(capability.input, "input"),
    outputSchema: jsonSchemaOf(capability.output, "output"),
    modes: [...modes],
    endpoint: endpoint ? { method: endpoint.method, path: endpoint.path } : null,
    selectors: selectorsOfCapability(serviceId, capability),
    readOnly,
    destructive,
    requiresApproval,
    price,
  };
  views.set(capability, view);
  return view;
}

/** Returns the JSON Schema. Output schemas stay open for more fields, which clients ignore. */
function jsonSchemaOf(schema: z.ZodType, io: "input" | "output"): Record<string, unknown> {
  return z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ jsonSchema }) => {
      if (io === "output" && jsonSchema.additionalProperties === false)
        delete jsonSchema.additionalProperties;
    },
  });
}

/** Returns every operation of these services that supports the requested mode and is called so. */
export function capabilityViews(
  reached: readonly ServiceDefinition[],
  { mode, search = "" }: { mode?: "invoke" | "run" | undefined; search?: string | undefined },
): View[] {
  const wanted = search.toLowerCase();
  return reached.flatMap((service) =>
    capabilitiesOf(service)
      .filter(({ modes }) => mode === undefined || modes.includes(mode))
      .filter(({ id, title }) => `${service.id} ${id}\n${title}`.toLowerCase().includes(wanted))
      .map((capability) => toCapability(service.id, capability)),
  );
}
