import { createHash } from "node:crypto";
import type { RunContext } from "#server/runs/run-context.ts";
import { addressOf, callService, type Target } from "./call-service.ts";
import { Circuit } from "./circuit.ts";
import { jsonSchemaType } from "./json-schema.ts";
import type { OperatorService, ServiceOperation } from "./manifest.ts";
import { unitsOf } from "./prices.ts";
import type { Capability, ServiceDefinition } from "./service.ts";

/** Returns the services of a manifest as the platform offers them. */
export function operatorServices(manifest: readonly OperatorService[]): ServiceDefinition[] {
  return manifest.map((service) => {
    const circuit = new Circuit();
    return {
      id: service.id,
      name: service.name,
      description: service.description,
      capabilities: service.operations.map((operation) => offered(service, operation, circuit)),
      degraded: () =>
        circuit.open
          ? `${service.name} has failed several times in a row. Calls wait until it works again.`
          : null,
    };
  });
}

function offered(service: OperatorService, operation: ServiceOperation, circuit: Circuit): Capability {
  const { inputSchema, outputSchema, path: _, ...facts } = operation;
  const output = jsonSchemaType(outputSchema);

  const target = { service, operation, output, circuit };
  return {
    ...facts,
    input: jsonSchemaType(inputSchema),
    output,
    priceVersion: priceVersionOf(service),
    usesConnection: true,
    address: addressOf(target),
    outside: (call) => callService(target, call),
    run: (run) => runOutside(target, run),
  };
}

/**
 * Calls the service as the only step of a run. A crash may repeat the call: the service recognises the repeat by its
 * idempotency key.
 */
async function runOutside(target: Target, run: RunContext): Promise<unknown> {
  const { id, caller, connectionId, input } = run;
  const { credits, result } = await run.effect("call", { repeatable: true }, async (effect) => {
    await effect.sending();
    const outcome = await callService(target, { input, caller, connectionId, requestId: id, ...effect });
    if (outcome.outcome === "done") return outcome;
    throw outcome.error;
  });
  run.charge(credits, unitsOf(credits, target.operation.price));
  return result;
}

/** Returns a version that changes with the service's prices. */
function priceVersionOf({ id, operations }: OperatorService): string {
  const prices = JSON.stringify(operations.map((operation) => [operation.id, operation.price]));
  return `${id}-${createHash("sha256").update(prices).digest("hex").slice(0, 12)}`;
}
