const STEPS = 4;

/**
 * Returns at most five round numbers for an axis, which enclose all values. The axis begins at zero and has whole
 * numbers, unless `fit`.
 */
export function ticksOf(values: readonly number[], fit: boolean): number[] {
  if (values.length === 0) return [0, 1];
  const [low, high] = [fit ? Math.min(...values) : 0, Math.max(...values)];
  if (fit && low === high) return around(high);
  const rough = (high - low) / STEPS || 1;
  const step = fit ? roundUp(rough) : Math.max(roundUp(rough), 1);
  const [first, last] = [
    Math.floor(low / step),
    Math.max(Math.ceil(high / step), Math.floor(low / step) + 1),
  ];
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}

/** Returns ticks around a value that never changed, with the value in the middle. */
function around(value: number): number[] {
  const step = roundUp(Math.abs(value) / 100 || 1);
  return [value - step, value, value + step];
}

/** Rounds up to 1, 2, 5 or 10 times a power of ten. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5].find((times) => times * power >= value) ?? 10) * power;
}
