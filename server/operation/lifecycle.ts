import { platform } from "#server/platform.ts";
import { ApiError } from "./errors.ts";
import type { Operation } from "./operation.ts";

/** `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and the successor's link, for the whole period of a deprecated operation. */
export function lifecycleHeaders(operation: Operation): Record<string, string> {
  if (!operation.deprecation) return {};
  const { since, sunset, successor } = operation.deprecation;
  return {
    deprecation: `@${Date.parse(since) / 1000}`,
    sunset: new Date(sunset).toUTCString(),
    link: `<${platform().settings.baseUrl}/docs/${successor}>; rel="successor-version"`,
  };
}

/** A deprecated operation works until its sunset, and is refused from then on. */
export function refuseAfterSunset({ id, deprecation }: Operation): void {
  if (deprecation && Date.parse(deprecation.sunset) <= Date.now()) {
    throw new ApiError(
      "operation_sunset",
      `${id} stopped working on ${deprecation.sunset}. Use ${deprecation.successor}.`,
    );
  }
}
