import { routes } from "#components/routes.ts";

/** Returns the path to go to after signing in: always one of this console, whatever the address says. */
export function nextPath(next: string | string[] | undefined): string {
  const base = "http://ours";
  if (typeof next !== "string" || !URL.canParse(next, base)) return routes.overview();
  const { origin, pathname, search } = new URL(next, base);
  // `/.//host` parses as a path of ours but becomes another host when it is parsed again.
  return origin === base && !pathname.startsWith("//") ? pathname + search : routes.overview();
}
