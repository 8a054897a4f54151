import { inUsd } from "#components/ui/amount.tsx";
import { inDigits } from "#components/ui/digits.ts";

/** An operation of a service as `/capabilities` describes it. */
export type Capability = {
  serviceId: string;
  operationId: string;
  title: string;
  description: string;
  inputSchema: Record<string, unknown>;
  outputSchema: Record<string, unknown>;
  modes: string[];
  endpoint: { method: string; path: string } | null;
  selectors: string[];
  readOnly: boolean;
  destructive: boolean;
  requiresApproval: boolean;
  price: { unit: string; credits: number; maximum: number };
};

/** Formats a price: `1 credit per call ($0.001)`. */
export function priceText({ unit, credits, maximum }: Capability["price"]): string {
  if (maximum === 0) return "Free";
  const each = `${inDigits(credits)} ${credits === 1 ? "credit" : "credits"} per ${unit}`;
  if (unit === "call") return `${each} (${inUsd(credits)})`;
  return `${each}, at most ${inDigits(maximum)} per call (${inUsd(maximum)})`;
}

/** Returns how the operation is used: by an endpoint of its own, invoked, or run. */
export function usageText({ endpoint, modes }: Capability): string {
  if (endpoint) return `${endpoint.method} ${endpoint.path}`;
  return modes.map((mode) => (mode === "run" ? "Run" : "Invoke")).join(", ");
}
