import type { KeyAccess } from "#server/keys/schema.ts";

type Choice = { name: string; hint?: string };

/**
 * The selectors that a boundary can be made of: the operations that the scopes permit, and what stands above several
 * of them. Under a parent only those that the parent reaches.
 */
export function operationChoices(access: KeyAccess, scopes: readonly string[]): Choice[] {
  const exact = access.operations.filter(({ scope, denied }) => denied === null && scopes.includes(scope));
  const names = new Set(exact.map(({ selector }) => selector));
  const above = access.selectors.flatMap(({ selector }) => {
    const covered = exact.filter((one) => one.selector.startsWith(`${selector}.`)).length;
    return names.has(selector) || covered === 0 ? [] : [{ name: selector, hint: `All ${covered} below it.` }];
  });
  return [...above, ...[...names].map((name) => ({ name }))].sort((a, b) => a.name.localeCompare(b.name));
}
