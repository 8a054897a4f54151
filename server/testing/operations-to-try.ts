import { inject } from "vitest";
import type { Operation } from "#server/operation/operation.ts";
import { everyApiOperation } from "#server/operations.ts";

/** What Next.js sees of an operation: its method, the form of its path, and whether bytes go in or out. */
function formOf({ method, path, raw, bytes }: Operation) {
  const segments = path.split("/").map((segment) => (segment.startsWith("{") ? "{}" : "x"));
  return [method, segments.join("/"), raw !== undefined, bytes !== undefined].join(" ");
}

/** The operations that a law is tried on: all of them; through `next start` one of each form. */
export function operationsToTry(): readonly Operation[] {
  const all = everyApiOperation;
  if (!inject("nextServer")) return all;
  return [...new Map(all.map((operation) => [formOf(operation), operation])).values()];
}
