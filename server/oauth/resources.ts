import { platform } from "#server/platform.ts";

/** What tokens are for: both APIs, or one of them. */
export const RESOURCE_PATHS = ["/mcp", "/v1", ""] as const;
export type ResourcePath = (typeof RESOURCE_PATHS)[number];

/** The resource that a parameter names (RFC 8707), as a path; null where it is none of ours. */
export function resourcePath(parameter: string | undefined, absent: ResourcePath): ResourcePath | null {
  if (parameter === undefined) return absent;
  if (!URL.canParse(parameter) || /[?#]/.test(parameter)) return null;
  const { origin, pathname } = new URL(parameter);
  const { baseUrl } = platform().settings;
  if (origin !== new URL(baseUrl).origin) return null;
  return RESOURCE_PATHS.find((path) => path === pathname.replace(/\/$/, "")) ?? null;
}
