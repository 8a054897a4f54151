/**
 * Returns a holder of state that is shared by all copies of a module in this process: Next.js bundles its own copy of
 * every module. Each name has one type, which its only caller declares.
 */
export function processWide<State>(name: string): { state?: State | undefined } {
  const holders = globalThis as { [key: symbol]: { state?: State | undefined } };
  const key = Symbol.for(`managed-services.${name}`);
  holders[key] ??= {};
  return holders[key];
}
