import { routes } from "#components/routes.ts";

/** Where to go after signing in: a path of ours, whatever the address says. */
export function nextPath(next: string | string[] | undefined): string {
  const base = "http://ours";
  if (typeof next !== "string" || !URL.canParse(next, base)) return routes.overview();
  const { origin, pathname, search } = new URL(next, base);
  // `/.//host` is a path of ours until it is written down again.
  return origin === base && !pathname.startsWith("//") ? pathname + search : routes.overview();
}
