import { headers } from "next/headers";

/**
 * What `useFilters(names)` will read in the browser, for the server to have it ready: `await wantedFilters(names)`.
 * From a header of `proxy.ts`, because layouts do not get the address's search.
 */
export async function wantedFilters<Name extends string>(
  names: readonly Name[],
): Promise<Record<Name, string>> {
  const wanted = (await headers()).get("x-wanted") ?? "/";
  const search = new URLSearchParams(wanted.slice(wanted.indexOf("?") + 1));
  return Object.fromEntries(names.map((name) => [name, search.get(name) ?? ""])) as Record<Name, string>;
}
