import type { Chain } from "#server/providers/chain/chains.ts";

/**
 * What a chain answered no longer ago than this, asked for by one of all who want it at once. What could not be read is
 * asked again by the next.
 */
export function freshOf<Value>(milliseconds: number, read: (chain: Chain) => Promise<Value>) {
  const known = new WeakMap<Chain, { at: number; value: Promise<Value> }>();
  return (chain: Chain): Promise<Value> => {
    const last = known.get(chain);
    if (last && Date.now() - last.at < milliseconds) return last.value;
    const value = read(chain);
    known.set(chain, { at: Date.now(), value });
    value.catch(() => known.delete(chain));
    return value;
  };
}
