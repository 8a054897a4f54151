/** A value that is there by what the code before made sure of; a RangeError where it is not. */
export function defined<T>(value: T | null | undefined): T {
  if (value === undefined || value === null) throw new RangeError("A value that must be there is not.");
  return value;
}
