import { headers } from "next/headers";

/**
 * Returns the same values on the server as `useFilters(names)` does in the browser: `await wantedFilters(names)`. It
 * reads a header set by `proxy.ts`, because layouts do not get the address's search part.
 */
export async function wantedFilters<Name extends string>(
  names: readonly Name[],
): Promise<Record<Name, string>> {
  const wanted = (await headers()).get("x-wanted") ?? "/";
  const search = new URLSearchParams(wanted.slice(wanted.indexOf("?") + 1));
  return Object.fromEntries(names.map((name) => [name, search.get(name) ?? ""])) as Record<Name, string>;
}
