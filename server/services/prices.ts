import type { Price } from "./service.ts";

/** The version of this price list, which every charge names. Change the date with every price. */
export const PRICE_VERSION = "2026-11-23";

export const CREDITS_PER_USD = 1000;

const FREE: Price = { unit: "call", credits: 0, maximum: 0 };

const perCall = (credits: number): Price => ({ unit: "call", credits, maximum: credits });

/** The prices of the platform's own services, by service and operationId; operations that are not listed are free. */
const PRICES: Record<string, Record<string, Price>> = {
  "managed-memory": { put: perCall(1), search: perCall(1), export: perCall(5) },
  "managed-workflows": { execute: perCall(2), start: perCall(2), put: perCall(1) },
  "managed-triggers": { put: perCall(1) },
  "managed-events": { send: perCall(1) },
  "managed-wallets": { "wallets.transactions.create": perCall(5) },
  "managed-trading": { "trading.orders.create": perCall(5) },
  "universal-swaps": { "swaps.execute": perCall(5) },
  "managed-agents": { respond: { unit: "1000 tokens", credits: 1, maximum: 200 } },
};

export function priceOf(serviceId: string, operationId: string): Price {
  return PRICES[serviceId]?.[operationId] ?? FREE;
}

/** Returns the number of units of a charge, as the ledger shows it. */
export function unitsOf(charged: number, price: Price): number {
  return price.credits > 0 ? Math.max(1, Math.round(charged / price.credits)) : 1;
}
