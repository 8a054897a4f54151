/**
 * Returns the pause in milliseconds before the next attempt: `firstMs` after none of `earlier` pauses, and twice as long
 * after each, up to `longestMs`.
 */
export const backoffMs = (earlier: number, firstMs: number, longestMs: number): number =>
  Math.min(firstMs * 2 ** earlier, longestMs);
