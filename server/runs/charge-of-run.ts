import type { Charge } from "#server/credits/charge.ts";
import { selectorsOf } from "#server/operation/access.ts";
import { PRICE_VERSION } from "#server/services/prices.ts";
import type { Capability } from "#server/services/service.ts";

/** The operation by which runs are limited and charged. */
const RUNS_CREATE = { id: "runs.create", usesServices: "run" } as const;

/** Returns the maximum price of a run at today's prices, and who pays; a retry is charged like any other run. */
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
