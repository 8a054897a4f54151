/** Returns a value that earlier code guarantees to exist; throws a RangeError if it is null or undefined. */
export function defined<T>(value: T | null | undefined): T {
  if (value === undefined || value === null) throw new RangeError("A value that must be there is not.");
  return value;
}
