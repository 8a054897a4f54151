import type { Issue } from "#components/ui/problem.ts";

/** Stands for the missing key of a value in a form's values; no key that can be stored contains it. */
export const NO_KEY = "\0";

/** Returns a fault for each field of keys and values that has a value without a key. */
export function keylessIssues(values: object): Issue[] {
  return Object.entries(values)
    .filter(([, value]) => typeof value === "object" && value !== null && Object.hasOwn(value, NO_KEY))
    .map(([path]) => ({ path, message: "A value has no key. Type one, or remove the row." }));
}
