const PARAMETER = "search_path";

/** Returns a database address whose sessions use this search path, e.g. `fn_0a1b2c, public`. */
export function withSearchPath(url: string, schemas: string): string {
  const address = new URL(url);
  address.searchParams.set(PARAMETER, schemas);
  return address.href;
}

/** Returns the address with the search path of the other one, if that has one. */
export function withSearchPathOf(url: string, other: string): string {
  const schemas = new URL(other).searchParams.get(PARAMETER);
  return schemas === null ? url : withSearchPath(url, schemas);
}
