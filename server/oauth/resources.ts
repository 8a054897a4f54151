import { platform } from "#server/platform.ts";

/** The resources that tokens are valid for: one of the two APIs, or both (empty). */
export const RESOURCE_PATHS = ["/mcp", "/v1", ""] as const;
export type ResourcePath = (typeof RESOURCE_PATHS)[number];

/** Returns the resource that a parameter names (RFC 8707), as a path; null if it is not one of this platform. */
export function resourcePath(parameter: string | undefined, absent: ResourcePath): ResourcePath | null {
  if (parameter === undefined) return absent;
  const path = pathOfResource(parameter);
  return path !== null && new URL(parameter).origin === new URL(platform().settings.baseUrl).origin
    ? path
    : null;
}

/** Returns the path of a resource of this platform or of another of its cells, from which an account can have moved. */
export function pathOfResource(parameter: string): ResourcePath | null {
  if (!URL.canParse(parameter) || /[?#]/.test(parameter)) return null;
  const { pathname } = new URL(parameter);
  return RESOURCE_PATHS.find((path) => path === pathname.replace(/\/$/, "")) ?? null;
}
