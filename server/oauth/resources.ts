import { platform } from "#server/platform.ts";

/** The resources that tokens are valid for: one of the two APIs, or both (empty). */
export const RESOURCE_PATHS = ["/mcp", "/v1", ""] as const;
export type ResourcePath = (typeof RESOURCE_PATHS)[number];

/** Returns the resource that a parameter names (RFC 8707), as a path; null if it is not one of this platform. */
export function resourcePath(parameter: string | undefined, absent: ResourcePath): ResourcePath | null {
  if (parameter === undefined) return absent;
  if (!URL.canParse(parameter) || /[?#]/.test(parameter)) return null;
  const { origin, pathname } = new URL(parameter);
  const { baseUrl } = platform().settings;
  if (origin !== new URL(baseUrl).origin) return null;
  return RESOURCE_PATHS.find((path) => path === pathname.replace(/\/$/, "")) ?? null;
}
