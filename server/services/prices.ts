import type { Price } from "./service.ts";

/** Names this list of prices on every charge. A new date with every change of a price. */
export const PRICE_VERSION = "2026-11-23";

export const CREDITS_PER_USD = 1000;

const FREE: Price = { unit: "call", credits: 0, maximum: 0 };

const perCall = (credits: number): Price => ({ unit: "call", credits, maximum: credits });

/** What the platform's own services charge, by service and operationId; what is not listed is free. */
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

/** How many units a charge is for, as the ledger shows it. */
export function unitsOf(charged: number, price: Price): number {
  return price.credits > 0 ? Math.max(1, Math.round(charged / price.credits)) : 1;
}
