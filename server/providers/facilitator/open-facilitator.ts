import type { Chain } from "../chain/chains.ts";
import type { Facilitator, PaymentSettings } from "./facilitator.ts";
import { localFacilitator } from "./local-facilitator.ts";
import { remoteFacilitator } from "./remote-facilitator.ts";

/** The facilitator that the settings name, for this chain. */
export function openFacilitator({ facilitator }: PaymentSettings, chain: Chain): Facilitator | null {
  if (facilitator === null) return null;
  return typeof facilitator === "string"
    ? remoteFacilitator(facilitator)
    : localFacilitator(chain, facilitator);
}
