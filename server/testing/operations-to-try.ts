import { inject } from "vitest";
import type { Operation } from "#server/operation/operation.ts";
import { everyApiOperation } from "#server/operations.ts";

/**
 * The properties of an operation that matter to Next.js: its method, the shape of its path, and raw request or response
 * bodies.
 */
function formOf({ method, path, raw, bytes }: Operation) {
  const segments = path.split("/").map((segment) => (segment.startsWith("{") ? "{}" : "x"));
  return [method, segments.join("/"), raw !== undefined, bytes !== undefined].join(" ");
}

/** Returns the operations on which a law is tested: all of them; through `next start` one of each form. */
export function operationsToTry(): readonly Operation[] {
  const all = everyApiOperation;
  if (!inject("nextServer")) return all;
  return [...new Map(all.map((operation) => [formOf(operation), operation])).values()];
}
