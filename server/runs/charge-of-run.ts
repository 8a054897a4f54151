import type { Charge } from "#server/credits/charge.ts";
import { selectorsOf } from "#server/operation/access.ts";
import { PRICE_VERSION } from "#server/services/prices.ts";
import type { Capability } from "#server/services/service.ts";

/** What runs are limited and charged by. */
const RUNS_CREATE = { id: "runs.create", usesServices: "run" } as const;

/** What a run of a capability may cost at today's price, and who pays; a retried one is paid like any other. */
export function chargeOfRun(
  { price, priceVersion = PRICE_VERSION }: Capability,
  {
    serviceId,
    operationId,
    ...payer
  }: Pick<Charge, "caller" | "requestId"> & { serviceId: string; operationId: string },
): Charge {
  return {
    ...payer,
    selectors: selectorsOf(RUNS_CREATE, { serviceId, operationId }),
    credits: price.maximum,
    description: `${serviceId} ${operationId}`,
    priceVersion,
  };
}
