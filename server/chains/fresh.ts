import type { Chain } from "#server/providers/chain/chains.ts";

/**
 * Returns a function that reads from a chain, reuses a response for this long, and shares one request among concurrent
 * callers. A failed read is repeated by the next caller.
 */
export function freshOf<Value>(milliseconds: number, read: (chain: Chain) => Promise<Value>) {
  const known = new WeakMap<Chain, { at: number; value: Promise<Value> }>();
  return (chain: Chain): Promise<Value> => {
    const last = known.get(chain);
    if (last && performance.now() - last.at < milliseconds) return last.value;
    const value = read(chain);
    known.set(chain, { at: performance.now(), value });
    value.catch(() => known.delete(chain));
    return value;
  };
}
